/**
 * podman as the Docker engine of a host in the world in a box: images are built and run by it without a daemon, and compose files by
 * podman-compose.
 *
 * Everything it keeps is below `.cache/image`, so it shares nothing with a podman that somebody uses. One run at a time has it.
 */

import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../engines/install-npm.ts'

export const IMAGES: string = join(repositoryRoot, '.cache/image')

export type Engine = {
  /** Runs a command of podman, buildah or podman-compose to its end; returns what it printed. */
  run(command: string, args: readonly string[], folder?: string): Promise<string>
  /** Ends and removes all containers, their volumes and networks; images stay. */
  clear(): void
}

/**
 * An engine on the host with this network namespace, or on none for images alone. `names` is what its containers find besides each
 * other, by address.
 */
export function createEngine(namespace?: string, names: Readonly<Record<string, string>> = {}): Engine {
  const networks = join(IMAGES, 'networks')
  const hosts = join(IMAGES, 'hosts')
  mkdirSync(networks, { recursive: true })
  writeFileSync(
    hosts,
    `127.0.0.1 localhost\n${Object.entries(names)
      .map(([name, at]) => `${at} ${name}\n`)
      .join('')}`,
  )
  writeFileSync(join(IMAGES, 'storage.conf'), STORAGE)
  writeFileSync(join(IMAGES, 'containers.conf'), settings(networks, hosts))
  const env = {
    ...process.env,
    CONTAINERS_STORAGE_CONF: join(IMAGES, 'storage.conf'),
    CONTAINERS_CONF: join(IMAGES, 'containers.conf'),
    // A build gets no namespaces of its own, so that it works where the machine allows none. The format is the one that has health checks.
    BUILDAH_ISOLATION: 'chroot',
    BUILDAH_FORMAT: 'docker',
  }
  // Not `ip netns exec`: it hides the cgroups of the machine, which the containers need.
  const inside = (command: string, args: readonly string[]): [string, string[]] =>
    namespace === undefined ? [command, [...args]] : ['nsenter', [`--net=/run/netns/${namespace}`, command, ...args]]
  return {
    async run(command, args, cwd = IMAGES) {
      const { stdout } = await promisify(execFile)(...inside(command, args), { cwd, env, maxBuffer: 1 << 26 })
      return stdout
    },
    clear() {
      const podman = (...args: string[]) => execFileSync(...inside('podman', args), { env, stdio: 'pipe' })
      podman('rm', '--all', '--force', '--volumes', '--time', '0')
      podman('volume', 'prune', '--force')
      rmSync(networks, { recursive: true, force: true })
    },
  }
}

const STORAGE = `
[storage]
driver = "overlay"
graphroot = "${IMAGES}/storage"
runroot = "${IMAGES}/run"
`

/** runc and cgroupfs: what works where there is no systemd. Limits below those that a machine may forbid to raise. */
const settings = (networks: string, hosts: string) => `
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
log_driver = "k8s-file"
base_hosts_file = "${hosts}"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${networks}"
`
