/** Asks the server every two seconds and shows what it says. Everything is set as text: names come from players. */

const EVERY_MS = 2_000

/**
 * Fills a table: one column for each key of the first row.
 *
 * @param {string} id
 * @param {Record<string, string | number | { text: string, href: string }>[]} rows
 */
function fill(id, rows) {
  const table = document.getElementById(id)
  const names = Object.keys(rows[0] ?? { none: '' })
  const head = names.map((name) => cell('th', name))
  const body = rows.map((row) => line(names.map((name) => cell('td', row[name]))))
  table.replaceChildren(line(head), ...body)
}

function line(cells) {
  const row = document.createElement('tr')
  row.append(...cells)
  return row
}

function cell(tag, value) {
  const element = document.createElement(tag)
  if (typeof value === 'number') element.className = 'number'
  if (typeof value === 'object' && value !== null) {
    const link = document.createElement('a')
    link.href = value.href
    link.textContent = value.text
    element.append(link)
  } else {
    element.textContent = typeof value === 'number' ? value.toLocaleString('en') : String(value)
  }
  return element
}

async function refresh() {
  const state = document.getElementById('state')
  try {
    // Not relative to the address that was typed: that may have name and password in it, which fetch refuses.
    const response = await fetch(`${location.origin}${location.pathname}data.json`)
    if (!response.ok) throw new Error(`the server answers ${response.status}`)
    const data = await response.json()
    for (const id of ['processes', 'rooms', 'ticks', 'late', 'refused']) fill(id, data[id])
    fill(
      'replays',
      data.replays.map(({ name, bytes, endedAt }) => ({
        replay: { text: name, href: `../replays/${name}` },
        bytes,
        endedAt,
      })),
    )
    const about = `process ${data.processId}, up ${Math.round(data.upSeconds)} s, ${data.memoryMB} MB`
    state.textContent = data.problem ? `${about}; ${data.problem}` : about
    state.className = data.problem ? 'stale' : ''
  } catch (error) {
    state.textContent = `no update: ${error.message}`
    state.className = 'stale'
  }
  setTimeout(refresh, EVERY_MS)
}

refresh()
