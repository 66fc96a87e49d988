/** Builds the page in a process of its own, for callers that need none of Vite's memory: `node build-process.js '{ … }'`. */

import { type BuildOptions, buildStudio } from './build.ts'

// What is built is for players, whatever this process was told about itself.
process.env.NODE_ENV = 'production'
await buildStudio(JSON.parse(process.argv[2]) as BuildOptions)
