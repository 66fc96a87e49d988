/** Messages of a room to its clients about datagrams. */
export const INVITATION = 'datagrams'
export const ANSWER = 'datagrams-answer'
