// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Disputes: what each player saw, from the replay of a match and its track.
 *
 * `readScreensOf` finds the frames that clients reported, `rebuildScreen` draws one of them again. `readStory` puts together all there
 * is to say about two things in one tick, `tellStory` says it in sentences, `storyPage` makes a file of it that can be sent.
 *
 * @module @hurtbox/netcode/disputes
 */

export { findFrame, frameBeside, placeIn, readScreensOf, rebuildScreen, truthAt } from '../screens/screens.ts'
export type { FrameRef, Look, Screen, ScreenRun, Screens } from '../screens/screens.ts'
export { readStory } from './story.ts'
export type { FutureChange, JudgedBox, Party, Question, SeenStory, Story } from './story.ts'
export { storyText, tellStory } from './tell.ts'
export type { Chapter } from './tell.ts'
export { storyPage } from './page.ts'
