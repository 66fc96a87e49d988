/**
 * Fly.io: one machine with a volume, so that a match goes on in the machine that is started next.
 *
 * Fly maps no UDP ports, wants UDP bound to an address of its own and has it on dedicated IPv4 addresses alone. Its edge ends
 * `X-Forwarded-For` with the address that the client called, so there are two entries that no client can forge.
 */

import type { Plan, Target } from './targets.ts'

export function fly({ name, port }: Target['project'], { domain = `${name}.fly.dev` }: Target['options']): Plan {
  const text = `# ${name} on Fly.io, written by \`npx hurtbox deploy fly\`. Yours to change: region and size, to begin with.

app = "${name}"
primary_region = "ams"
# The server hands its matches over to the machine that is started next.
kill_signal = "SIGTERM"
kill_timeout = "20s"

[build]
  dockerfile = "Dockerfile"

[env]
  PUBLIC_ADDRESS = "https://${domain}"
  # X-Forwarded-For ends with the client and the address of ours that it called.
  PROXIES = "2"
  # UDP has to listen here, and on the port that players use.
  UDP_HOST = "fly-global-services"
  UDP_PORT = "${port}"
  UDP_ADDRESSES = "${domain}:${port}"

[mounts]
  source = "data"
  destination = "/data"

[http_service]
  internal_port = ${port}
  force_https = true
  # A machine that is stopped while nobody asks would end the matches of those who play.
  auto_stop_machines = "off"
  auto_start_machines = true
  min_machines_running = 1

  [http_service.concurrency]
    type = "connections"
    soft_limit = 2000
    hard_limit = 4000

  [[http_service.checks]]
    method = "GET"
    path = "/health"
    interval = "10s"
    timeout = "5s"
    grace_period = "30s"

[[services]]
  protocol = "udp"
  internal_port = ${port}

  [[services.ports]]
    port = ${port}

[[vm]]
  size = "shared-cpu-1x"
  memory = "512mb"
`
  return {
    files: { 'fly.toml': text },
    next: [
      `fly apps create ${name}`,
      'fly volumes create data --size 1 --region ams',
      'fly ips allocate-v4                # a dedicated one: datagrams need it',
      'fly secrets set HURTBOX_TOKEN=<a long password>',
      'fly deploy --ha=false              # one machine: the volume is its own',
      'fly ssh console --command "chown node:node /data"    # once: a new volume belongs to root',
      `fly apps restart ${name}`,
    ],
    see: `https://${domain}/`,
  }
}
