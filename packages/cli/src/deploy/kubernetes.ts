/**
 * Kubernetes: two servers, Redis between them, an Ingress with TLS in front.
 *
 * Each server is reached by itself: its sockets by a path of the Ingress, which need not be taken off since only the end of a socket's address
 * counts, its datagrams by a NodePort of its own.
 */

import type { Plan, Target } from './targets.ts'

/** The UDP port of the first server outside; the second has the next one. What clusters leave free is 30000 to 32767. */
const NODE_PORT = 30_560

export function kubernetes(project: Target['project'], options: Target['options']): Plan {
  const { name, port } = project
  const { domain = 'play.example.org', image = `registry.example.org/${name}:1` } = options
  const parts = [redis(name), servers(name, port, domain, image), services(name, port), ingress(name, domain)]
  const head = `# ${name} on Kubernetes, written by \`npx hurtbox deploy kubernetes\`. Needs Kubernetes 1.28, for the index of a pod, and an Ingress controller.\n`
  return {
    files: { 'deploy/kubernetes.yaml': `${head}${parts.join('---\n')}` },
    next: [
      `docker build --tag ${image} . && docker push ${image}`,
      `kubectl create secret generic ${name} --from-literal=HURTBOX_TOKEN=<a long password>`,
      `kubectl create secret tls ${name}-tls --cert=<file> --key=<file>    # or let cert-manager make it`,
      'kubectl apply --filename deploy/kubernetes.yaml',
      `# Nodes open UDP ${NODE_PORT} and ${NODE_PORT + 1} to players. If ${domain} is not the address of a node, put one into UDP_ADDRESSES.`,
    ],
    see: `https://${domain}/`,
  }
}

function redis(name: string): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}-redis
spec:
  clusterIP: None
  selector: { app: ${name}-redis }
  ports:
    - port: 6379
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: ${name}-redis
spec:
  serviceName: ${name}-redis
  replicas: 1
  selector:
    matchLabels: { app: ${name}-redis }
  template:
    metadata:
      labels: { app: ${name}-redis }
    spec:
      containers:
        - name: redis
          image: redis:8
          # What players were told is on the disk first: matches survive the end of every process.
          args: [redis-server, --appendonly, "yes", --appendfsync, always]
          ports:
            - containerPort: 6379
          readinessProbe:
            exec: { command: [redis-cli, ping] }
            periodSeconds: 5
          volumeMounts:
            - { name: data, mountPath: /data }
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
`
}

function servers(name: string, port: number, domain: string, image: string): string {
  const tens = Math.floor(NODE_PORT / 10)
  return `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: ${name}
spec:
  serviceName: ${name}
  replicas: 2
  podManagementPolicy: Parallel
  selector:
    matchLabels: { app: ${name} }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
      # SIGTERM hands matches over; those that nobody can take have 5 s to end.
      terminationGracePeriodSeconds: 20
      automountServiceAccountToken: false
      securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 }
      containers:
        - name: server
          image: ${image}
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities: { drop: [ALL] }
          ports:
            - { name: http, containerPort: ${port} }
            - { name: datagrams, containerPort: ${port}, protocol: UDP }
          env:
            - name: POD_NAME
              valueFrom: { fieldRef: { fieldPath: metadata.name } }
            - name: POD_INDEX
              valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } }
            - { name: REDIS_URL, value: "redis://${name}-redis:6379" }
            # The Ingress is one.
            - { name: PROXIES, value: "1" }
            - { name: PUBLIC_ADDRESS, value: "https://${domain}/$(POD_NAME)/" }
            - { name: UDP_PORT, value: "${port}" }
            - { name: UDP_ADDRESSES, value: "${domain}:${tens}$(POD_INDEX)" }
          envFrom:
            - secretRef: { name: ${name} }
          startupProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 2
            failureThreshold: 30
          readinessProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 5
          resources:
            requests: { cpu: 250m, memory: 256Mi }
            limits: { memory: 512Mi }
          volumeMounts:
            - { name: data, mountPath: /data }
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 1Gi } }
`
}

function services(name: string, port: number): string {
  const one = (index: number) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}-${index}
spec:
  selector: { app: ${name}, apps.kubernetes.io/pod-index: "${index}" }
  # Players of its matches stay while it stops.
  publishNotReadyAddresses: true
  ports:
    - { name: http, port: 80, targetPort: http }
---
apiVersion: v1
kind: Service
metadata:
  name: ${name}-${index}-datagrams
spec:
  type: NodePort
  selector: { app: ${name}, apps.kubernetes.io/pod-index: "${index}" }
  publishNotReadyAddresses: true
  ports:
    - { name: datagrams, port: ${port}, targetPort: datagrams, protocol: UDP, nodePort: ${NODE_PORT + index} }
`
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector: { app: ${name} }
  ports:
    - { name: http, port: 80, targetPort: http }
---
${one(0)}---
${one(1)}---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  minAvailable: 1
  selector:
    matchLabels: { app: ${name} }
`
}

function ingress(name: string, domain: string): string {
  const to = (path: string, service: string) => `          - path: ${path}
            pathType: Prefix
            backend: { service: { name: ${service}, port: { name: http } } }
`
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
spec:
  tls:
    - hosts: [${domain}]
      secretName: ${name}-tls
  rules:
    - host: ${domain}
      http:
        paths:
${to(`/${name}-0/`, `${name}-0`)}${to(`/${name}-1/`, `${name}-1`)}${to('/', name)}`
}
