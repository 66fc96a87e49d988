/** A Linux machine with systemd: the server as a service, Caddy in front. The folder of the service keeps matches over restarts. */

import { PROGRAM } from './project.ts'
import type { Plan, Target } from './targets.ts'

export function systemd({ name, port }: Target['project'], { domain = 'play.example.org' }: Target['options']): Plan {
  const unit = `# The server of ${name}, written by \`npx hurtbox deploy systemd\`. It goes to /etc/systemd/system/${name}.service

[Unit]
Description=${name}, a game server
Documentation=https://github.com/hurtbox/hurtbox/blob/main/docs/server.md
Wants=network-online.target
After=network-online.target

[Service]
WorkingDirectory=/opt/${name}
ExecStart=/usr/bin/node ${PROGRAM}
Environment=NODE_ENV=production
# Players come through Caddy, which is on this machine; datagrams come past it.
Environment=HOST=127.0.0.1 PORT=${port} PROXIES=1
Environment=PUBLIC_ADDRESS=https://${domain}
Environment=UDP_PORT=${port} UDP_ADDRESSES=${domain}:${port}
Environment=DATA_DIR=/var/lib/${name}
# HURTBOX_TOKEN=…, and what else is not for everybody to read
EnvironmentFile=-/etc/${name}.env
Restart=always
RestartSec=1
# SIGTERM keeps the matches for the process that is started next; those that it cannot keep have 5 s to end.
KillSignal=SIGTERM
TimeoutStopSec=20
LimitNOFILE=16384

# A user of its own, which can write to /var/lib/${name} and to nothing else
DynamicUser=yes
StateDirectory=${name}
ProtectSystem=strict
ProtectHome=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictSUIDSGID=yes
LockPersonality=yes
CapabilityBoundingSet=
SystemCallArchitectures=native
# Not MemoryDenyWriteExecute: JavaScript is compiled while it runs.

[Install]
WantedBy=multi-user.target
`
  const caddyfile = `# https for ${name}, written by \`npx hurtbox deploy systemd\`. It goes to /etc/caddy/Caddyfile

${domain} {
	reverse_proxy 127.0.0.1:${port}
}
`
  return {
    files: { [`deploy/${name}.service`]: unit, 'deploy/Caddyfile': caddyfile },
    next: [
      `# On ${domain}, with Node 24 as /usr/bin/node and Caddy installed, and the project in /opt/${name}:`,
      'npm ci',
      'npm run build',
      'npm ci --omit=dev --omit=optional',
      `sudo cp deploy/${name}.service /etc/systemd/system/`,
      'sudo cp deploy/Caddyfile /etc/caddy/Caddyfile',
      `sudo systemctl enable --now ${name} && sudo systemctl reload caddy`,
      `# Open to players: TCP 80 and 443, UDP ${port}.`,
    ],
    see: `https://${domain}/`,
  }
}
