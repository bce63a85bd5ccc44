{{/* How pods are placed and named: arguments root, pod (values), component, fleet. */}}
{{- define "millrace.podMetadata" -}}
labels:
  {{- include "millrace.labels" . | nindent 2 }}
  {{- with .pod.labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  kubectl.kubernetes.io/default-container: {{ .container }}
  {{- with .pod.annotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "millrace.scheduling" -}}
{{- range $key, $value := pick .pod "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- if $value }}
{{ toYaml (dict $key $value) }}
{{- end }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - { name: {{ . }} }
  {{- end }}
{{- end }}
{{- end }}

{{/* Copies are on several machines and zones if there are any. */}}
{{- define "millrace.spread" -}}
{{- $selector := include "millrace.selector" . }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
  {{- end }}
{{- end }}

{{/* Pod Security "restricted". The images have the user 1000. */}}
{{- define "millrace.restrictedPod" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "millrace.restrictedContainer" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "millrace.command" -}}
workingDir: /app
command: [node, --enable-source-maps, --wasm-lazy-compilation, --max-semi-space-size=16, --expose-gc, --no-memory-reducer, deploy/start-app.mjs]
args: [{{ . }}]
{{- end }}

{{/*
Liveness checks the process alone, so an outage of a server restarts nobody. A start may take two minutes, because services
wait for their servers.
*/}}
{{- define "millrace.probes" -}}
startupProbe:
  httpGet: { path: /health/startup, port: health }
  periodSeconds: 2
  timeoutSeconds: 5
  # Five minutes: on a busy node, all services of an installation start at the same time.
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /health/live, port: health }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: health }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end }}
