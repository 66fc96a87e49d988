/**
 * Addresses that are forged: packets of an attacker that arrive as if a player had sent them.
 *
 * Node has no raw sockets. So the attacker has an address for each player, and nftables writes the player's address and port over it, without conntrack, so
 * that answers go to the player. That is done in a network namespace of its own only, in which nothing else runs.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const INSIDE = 'HURTBOX_FLOODS_INSIDE'

export function isMaskable(): boolean {
  return process.env[INSIDE] !== undefined
}

/** Runs a script once more in a namespace with a loopback; returns its exit code, or undefined where that cannot be had, or it runs there. */
export function runInNamespace(script: string, args: readonly string[]): number | undefined {
  if (isMaskable() || process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const canDo = (command: string, ...given: string[]) => spawnSync(command, given).status === 0
  if (!canDo('unshare', '--net', 'ip', 'link', 'show', 'lo') || !canDo('nft', '--version')) return undefined
  const start = 'ip link set lo up && exec "$@"'
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', start, 'sh', process.execPath, script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  })
  return status ?? 1
}

/** Returns an address for each player: each other UDP port that is open in the namespace is one. */
export function maskPlayers(to: readonly number[]): string[] {
  const players = ['udp', 'udp6'].flatMap(openPorts).filter((port) => !to.includes(port))
  const masks = players.map((_, i) => `127.200.0.${1 + i}`)
  const rules = masks.map((mask, i) => {
    return `ip saddr ${mask} udp dport { ${to.join(', ')} } ip saddr set 127.0.0.1 udp sport set ${players[i]}`
  })
  const chain = ['chain out {', 'type filter hook output priority raw', ...rules, '}']
  execFileSync('nft', ['-f', '-'], { input: ['table ip floods {', ...chain, '}', ''].join('\n') })
  return masks
}

function openPorts(protocol: string): number[] {
  const [, ...lines] = readFileSync(`/proc/net/${protocol}`, 'utf8').trim().split('\n')
  return lines.map((line) => Number.parseInt(/^\s*\d+: [\dA-F]+:([\dA-F]{4}) /.exec(line)![1], 16))
}
