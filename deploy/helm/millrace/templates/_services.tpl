{{/*
The services: which image each runs, and what it gets. The gateway is reachable from the internet and the worker runs
users' code, so neither has the database, and the worker has no MILLRACE_SECRET.
*/}}
{{- define "millrace.services" -}}
gateway: { image: gateway, needs: [secret, objects, publicUrl, http] }
auth: { image: service, needs: [secret, database, publicUrl] }
workflows: { image: service, needs: [secret, database, masterKeys] }
runs: { image: service, needs: [secret, database, objects] }
datasets: { image: service, needs: [secret, database, objects] }
billing: { image: service, needs: [secret, database] }
notifications: { image: service, needs: [secret, database, publicUrl, mail] }
{{- end }}

{{/* Fleets by name, each with the defaults of all. */}}
{{- define "millrace.fleets" -}}
{{- $fleets := dict }}
{{- range $name, $fleet := .Values.workers.fleets }}
{{- $_ := set $fleets $name (mergeOverwrite (deepCopy $.Values.workers.defaults) (deepCopy ($fleet | default dict))) }}
{{- end }}
{{- toYaml $fleets }}
{{- end }}

{{/* Whether KEDA scales anything. */}}
{{- define "millrace.usesKeda" -}}
{{- range $name, $_ := omit (include "millrace.services" . | fromYaml) "gateway" }}
{{- if (get $.Values $name).autoscaling.enabled }}true{{ end }}
{{- end }}
{{- range $name, $fleet := include "millrace.fleets" . | fromYaml }}
{{- if $fleet.autoscaling.enabled }}true{{ end }}
{{- end }}
{{- end }}
