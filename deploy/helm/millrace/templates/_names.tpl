{{- define "millrace.fullname" -}}
{{- if contains "millrace" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-millrace" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "millrace.workerNamespace" -}}
{{ .Values.workers.namespace | default .Release.Namespace }}
{{- end }}

{{/* Namespaces of the release's pods. */}}
{{- define "millrace.namespaces" -}}
{{ list .Release.Namespace (include "millrace.workerNamespace" .) | uniq | toJson }}
{{- end }}

{{/* Labels that select the pods of the release; with "component" those of one component. */}}
{{- define "millrace.selector" -}}
app.kubernetes.io/name: millrace
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- with .fleet }}
millrace-fleet: {{ . }}
{{- end }}
{{- end }}

{{- define "millrace.labels" -}}
{{ include "millrace.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "millrace.image" -}}
{{- $image := .root.Values.image }}
{{- $name := printf "%s/%s" (trimSuffix "/" $image.registry) (get $image.names .role) }}
{{- with get $image.digests .role }}{{ $name }}@{{ . }}
{{- else }}{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Host of publicUrl, without a port. */}}
{{- define "millrace.host" -}}
{{ (urlParse .Values.publicUrl).hostname }}
{{- end }}

{{/* A string as it is, and a number without an exponent. */}}
{{- define "millrace.text" -}}
{{ if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end }}
{{- end }}
