/**
 * Runs on the router: a way to the server on which everything takes a while. `delay.ts <port> <host> <port> <milliseconds>`
 *
 * Only TCP, and in a program: the kernels that tests run on cannot delay packets (no netem). What is lost, is dead or moves is the
 * router's, which treats real packets.
 */

import { connect, createServer, type Socket } from 'node:net'

const [port, host, target, delay] = process.argv.slice(2)

/** Passes on what comes from one socket to the other, later. */
function pass(from: Socket, to: Socket): void {
  const later = (act: () => void) => void setTimeout(act, Number(delay))
  from.on('data', (bytes) => later(() => to.write(bytes)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => later(() => to.destroy()))
}

createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const server = connect({ port: Number(target), host, noDelay: true, allowHalfOpen: true })
  pass(client, server)
  pass(server, client)
}).listen(Number(port), () => console.log('listening'))
