/** What the bundler of the matrix writes: the name of each file that the project lists as a game, and its default export. */
declare module 'hurtbox:games' {
  const games: readonly (readonly [name: string, module: unknown])[]
  export default games
}
