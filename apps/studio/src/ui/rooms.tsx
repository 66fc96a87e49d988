export function Rooms() {
  return null
}
