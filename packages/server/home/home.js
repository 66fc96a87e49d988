/** The page of a server without one of its own: which rooms there are. Everything is set as text. */

const EVERY_MS = 2_000

async function refresh() {
  const state = document.getElementById('state')
  try {
    const response = await fetch('rooms.json')
    if (!response.ok) throw new Error(`the server answers ${response.status}`)
    const rooms = await response.json()
    state.textContent = rooms.length === 0 ? 'Nobody plays here now.' : `Rooms: ${rooms.length}`
    document.getElementById('rooms').replaceChildren(...rooms.map(line))
  } catch (error) {
    state.textContent = `no update: ${error.message}`
  }
  setTimeout(refresh, EVERY_MS)
}

function line({ game, room, clients, seats }) {
  const item = document.createElement('li')
  item.textContent = `${game} ${room}: ${clients} of ${seats}`
  return item
}

refresh()
