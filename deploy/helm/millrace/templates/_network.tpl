{{/* Head of a NetworkPolicy: arguments root, name, namespace, and components or fleet (the pods that it is for). */}}
{{- define "millrace.policy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "millrace.fullname" .root }}-{{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "millrace.labels" (dict "root" .root) | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "millrace.selector" (dict "root" .root "fleet" .fleet) | nindent 6 }}
    {{- with .components }}
    matchExpressions:
      - { key: app.kubernetes.io/component, operator: In, values: {{ toJson . }} }
    {{- end }}
{{- end }}

{{- define "millrace.ports" -}}
{{- range .ports }}
- { protocol: TCP, port: {{ . }} }
{{- end }}
{{- end }}

{{/* Egress to a server, on its ports. */}}
{{- define "millrace.egressTo" }}
- ports:
    {{- include "millrace.ports" . | nindent 4 }}
  to:
    {{- toYaml .peers | nindent 4 }}
{{- end }}

{{/* Peers of the public internet: everything but the blocked networks. */}}
{{- define "millrace.internet" }}
{{- $blocked := dict "0.0.0.0/0" list "::/0" list }}
{{- range .root.Values.networkPolicy.blockedNetworks }}
{{- $all := ternary "::/0" "0.0.0.0/0" (contains ":" .) }}
{{- $_ := set $blocked $all (append (get $blocked $all) .) }}
{{- end }}
{{- range $all, $except := $blocked }}
- ipBlock: { cidr: {{ quote $all }}, except: {{ toJson $except }} }
{{- end }}
{{- end }}

{{/* Components of the release that have a need. */}}
{{- define "millrace.componentsWith" -}}
{{- $found := list }}
{{- range $name, $service := include "millrace.services" .root | fromYaml }}
{{- if has $.need $service.needs }}{{ $found = append $found $name }}{{ end }}
{{- end }}
{{- toJson $found }}
{{- end }}

{{/* The pods of `helm test`, as a list of peers. */}}
{{- define "millrace.testPeers" -}}
- namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ .root.Release.Namespace }} } }
  podSelector:
    matchLabels:
      {{- include "millrace.selector" (dict "root" .root "component" "test") | nindent 6 }}
{{- end }}

{{/* Head of a NetworkPolicy for pods of steps: arguments root, name, and network (the label of steps that may use it). */}}
{{- define "millrace.stepPolicy" }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "millrace.fullname" .root }}-{{ .name }}
  namespace: {{ include "millrace.workerNamespace" .root }}
  labels:
    {{- include "millrace.labels" (dict "root" .root) | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/managed-by: millrace
      app.kubernetes.io/component: step
      {{- with .network }}
      millrace.dev/network: {{ . }}
      {{- end }}
{{- end }}
