{{/*
Security of a worker's pod. The worker makes a sandbox for each step, which needs root and these capabilities
(docs/guides/workers.md). In a user namespace they hold for the pod alone, and root is nobody on the node.
*/}}
{{- define "millrace.workerPodSecurity" -}}
{{- if not (include "millrace.hasSandboxes" .root) }}
{{- include "millrace.restrictedPod" . }}
{{- else }}
runAsUser: 0
runAsGroup: 0
seccompProfile: { type: Unconfined }
appArmorProfile: { type: Unconfined }
{{- with .root.Values.workers.seLinuxOptions }}
seLinuxOptions:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "millrace.workerContainerSecurity" -}}
{{- if not (include "millrace.hasSandboxes" .root) }}
{{- include "millrace.restrictedContainer" . }}
{{- else }}
readOnlyRootFilesystem: true
# Kubernetes requires it for SYS_ADMIN. Steps cannot gain privileges.
allowPrivilegeEscalation: true
capabilities:
  drop: [ALL]
  add: [SYS_ADMIN, SYS_PTRACE, CHOWN, DAC_OVERRIDE, FOWNER, KILL, MKNOD, SETFCAP, SETGID, SETPCAP, SETUID]
{{- if eq .root.Values.workers.sandbox "userNamespaces" }}
# Each sandbox mounts a /proc of its own, which the kernel refuses while parts of this one are masked.
procMount: Unmasked
{{- end }}
{{- end }}
{{- end }}

{{/* Whether workers make sandboxes; empty if not. */}}
{{- define "millrace.hasSandboxes" -}}
{{- if and (eq .Values.workers.executor "sandbox") (ne .Values.workers.sandbox "none") }}true{{ end }}
{{- end }}

{{/* Variables of a worker that runs each command of a step as a Job. */}}
{{- define "millrace.jobVariables" -}}
{{- $steps := .Values.workers.steps }}
WORKER_EXECUTOR: kubernetes
WORKER_IMAGE: {{ $steps.image | quote }}
WORKER_KUBERNETES_HELPER_IMAGE: {{ include "millrace.image" (dict "root" . "role" "worker") | quote }}
WORKER_KUBERNETES_CPU: {{ $steps.cpu | toString | quote }}
WORKER_KUBERNETES_START_SECONDS: {{ $steps.startSeconds | toString | quote }}
WORKER_KUBERNETES_DEADLINE_SECONDS: {{ $steps.deadlineSeconds | toString | quote }}
WORKER_KUBERNETES_POD: {{ mergeOverwrite (dict "imagePullSecrets" .Values.image.pullSecrets) $steps.pod | toJson | quote }}
{{- end }}

{{/* The pod itself, which owns the Jobs of its steps. */}}
{{- define "millrace.podVariables" -}}
{{- range $name, $path := dict "WORKER_POD_NAME" "metadata.name" "WORKER_POD_UID" "metadata.uid" "WORKER_POD_NAMESPACE" "metadata.namespace" }}
- { name: {{ $name }}, valueFrom: { fieldRef: { fieldPath: {{ $path }} } } }
{{- end }}
{{- end }}

{{/* Variables of a worker that follow from its fleet. */}}
{{- define "millrace.workerVariables" -}}
{{- $labels := list }}
{{- range $name, $value := .fleet.labels }}{{ $labels = append $labels (printf "%s=%s" $name $value) }}{{ end }}
WORKER_FLEET: {{ .name | quote }}
WORKER_LABELS: {{ $labels | sortAlpha | join "," | quote }}
WORKER_SIZES: {{ .fleet.sizes | join "," | quote }}
WORKER_SLOTS: {{ .fleet.slots | toString | quote }}
WORKER_DRAIN_SECONDS: {{ .fleet.drainSeconds | toString | quote }}
WORKER_ISOLATION: {{ ternary "off" "required" (eq .root.Values.workers.sandbox "none") | quote }}
{{- if eq .root.Values.workers.executor "kubernetes" }}
{{- include "millrace.jobVariables" .root | nindent 0 }}
{{- end }}
WORK_DIR: /data/work
# Local copies of inputs. Sandboxes see neither of these folders.
STORAGE_DIR: /data/work/objects
{{- end }}
