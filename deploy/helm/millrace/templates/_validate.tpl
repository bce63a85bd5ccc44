{{/* Fails with a message that says what to set, for problems that values.schema.json cannot describe. */}}
{{- define "millrace.validate" -}}
{{- $example := dict
  "image.registry" "the registry that has your images, such as registry.example.org/millrace"
  "publicUrl" "the address that users open, such as https://millrace.example.org"
  "nats.url" "the address of NATS, such as nats://nats.nats:4222"
  "objectStore.url" "an S3-compatible server, such as s3://bucket?endpoint=https://s3.example.org" }}
{{- range $path, $meaning := $example }}
{{- $parts := splitList "." $path }}
{{- $value := index $.Values (first $parts) }}
{{- if eq (len $parts) 2 }}{{ $value = get $value (last $parts) }}{{ end }}
{{- if not $value }}{{ fail (printf "Set %s: %s." $path $meaning) }}{{ end }}
{{- end }}
{{- if .Values.networkPolicy.enabled }}
{{- range list "postgres" "redis" "nats" }}
{{- if not (get $.Values .).peers }}
{{- fail (printf "Set %s.peers: the NetworkPolicyPeers of the server, such as [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: %s } } }], or [{ ipBlock: { cidr: 10.1.2.3/32 } }]." . .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}
{{- fail "Set httpRoute.parentRefs: the Gateway that serves the route, such as [{ name: public, namespace: gateways }]." }}
{{- end }}
{{- if eq .Values.workers.executor "kubernetes" }}
{{- if not .Values.workers.steps.image }}
{{- fail "Set workers.steps.image: the image of steps whose nodes name none, such as debian:12." }}
{{- end }}
{{- if semverCompare "<1.30.0-0" .Capabilities.KubeVersion.Version }}
{{- fail (printf "workers.executor kubernetes needs Kubernetes 1.30 or newer (got %s)." .Capabilities.KubeVersion.Version) }}
{{- end }}
{{- if and .Values.networkPolicy.enabled (not .Values.workers.steps.apiServer.peers) }}
{{- fail "Set workers.steps.apiServer.peers: the NetworkPolicyPeers of the API server, such as [{ ipBlock: { cidr: 10.1.2.3/32 } }] (kubectl get endpointslices --namespace default)." }}
{{- end }}
{{- end }}
{{- if and (include "millrace.hasSandboxes" .) (eq .Values.workers.sandbox "userNamespaces") (semverCompare "<1.33.0-0" .Capabilities.KubeVersion.Version) }}
{{- fail (printf "workers.sandbox userNamespaces needs Kubernetes 1.33 or newer (got %s). Set it to nodeRoot or none (docs/guides/kubernetes.md)." .Capabilities.KubeVersion.Version) }}
{{- end }}
{{- range $name, $fleet := include "millrace.fleets" . | fromYaml }}
{{- include "millrace.validateScaling" (dict "path" (printf "workers.fleets.%s.autoscaling" $name) "scaling" $fleet.autoscaling) }}
{{- end }}
{{- range $name, $_ := include "millrace.services" . | fromYaml }}
{{- include "millrace.validateScaling" (dict "path" (printf "%s.autoscaling" $name) "scaling" (get $.Values $name).autoscaling) }}
{{- end }}
{{- end }}

{{- define "millrace.validateScaling" -}}
{{- if gt (int .scaling.minReplicas) (int .scaling.maxReplicas) }}
{{- fail (printf "%s.minReplicas must not be above maxReplicas (got %d and %d)." .path (int .scaling.minReplicas) (int .scaling.maxReplicas)) }}
{{- end }}
{{- end }}
