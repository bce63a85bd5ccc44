{{/*
A trigger of KEDA: a field of what a service responds at /scaling on its health port, or a query if there is a Prometheus.
Any copy of the service has the same figure, because it comes from the database or the broker.
*/}}
{{- define "millrace.trigger" -}}
- name: {{ .name }}
  metricType: {{ .metricType }}
  {{- if .root.Values.keda.prometheus }}
  type: prometheus
  metadata:
    serverAddress: {{ .root.Values.keda.prometheus }}
    query: {{ .query | quote }}
    threshold: {{ .target | toString | quote }}
  {{- else }}
  type: metrics-api
  metadata:
    url: http://{{ include "millrace.fullname" .root }}-{{ .service }}-health.{{ .root.Release.Namespace }}.svc:8081/scaling/{{ .path }}
    format: json
    valueLocation: {{ .field }}
    targetValue: {{ .target | toString | quote }}
  {{- end }}
{{- end }}
