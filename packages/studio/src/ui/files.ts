/** Replay files in and out. What a file says is only ever shown as text. */

import { openBytes, saveReplay } from '../model/proof.ts'
import { type Studio, showToast } from '../model/studio.ts'

/** Larger files are not replays of a real match. */
const LARGEST_FILE = 64 << 20

export async function downloadReplay(studio: Studio): Promise<void> {
  const bytes = await saveReplay(studio)
  const { game, seed } = studio.show.setup
  const name = `${game}-${seed}-${studio.show.length.value}.hbr`
  download(bytes, name)
  showToast(studio, `${name} holds the whole match in ${Math.ceil(bytes.length / 1024)} kB.`)
}

/** Gives the browser a file to save. */
export function download(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

export async function openFile(studio: Studio, file: File): Promise<void> {
  if (file.size > LARGEST_FILE) {
    showToast(studio, `${file.name} has ${file.size} bytes; a replay has less than ${LARGEST_FILE}.`)
    return
  }
  await openBytes(studio, new Uint8Array(await file.arrayBuffer()))
}

/** Opens files that are dropped anywhere on the page. Returns a function that stops it. */
export function acceptFiles(studio: Studio): () => void {
  const stop = new AbortController()
  const options = { signal: stop.signal }
  addEventListener('dragover', (event) => event.preventDefault(), options)
  addEventListener(
    'drop',
    (event) => {
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) void openFile(studio, file)
    },
    options,
  )
  return () => stop.abort()
}
