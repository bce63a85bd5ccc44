{{/*
The environment of a container. Arguments: root, needs, config (values of the service), and plain (further variables).
Settings of the service take precedence over those of all.
*/}}
{{- define "millrace.environment" -}}
{{- $values := .root.Values }}
{{- $needs := .needs }}
{{- $plain := merge (dict "HEALTH_PORT" "8081" "NATS_URL" $values.nats.url) (.plain | default dict) }}
{{- $required := list "REDIS_URL" "NATS_PASSWORD" }}
{{- $optional := list }}
{{- if has "http" $needs }}
{{- $plain = merge $plain (dict "HOST" "0.0.0.0" "PORT" "8080") }}
{{- $optional = append $optional "NATS_PASSWORD_WORKER" }}
{{- if hasKey .config.settings "GOOGLE_CLIENT_ID" }}{{ $required = append $required "GOOGLE_CLIENT_SECRET" }}{{ end }}
{{- if or $values.ingress.enabled $values.httpRoute.enabled }}{{ $plain = merge $plain (dict "TRUST_PROXY" "1") }}{{ end }}
{{- end }}
{{- if has "secret" $needs }}{{ $required = append $required "MILLRACE_SECRET" }}{{ end }}
{{- if hasKey .config.settings "WORKER_JOIN_STORAGE_URL" }}
{{- $optional = concat $optional (list "WORKER_JOIN_ACCESS_KEY_ID" "WORKER_JOIN_SECRET_ACCESS_KEY") }}
{{- end }}
{{- if has "publicUrl" $needs }}{{ $_ := set $plain "PUBLIC_URL" $values.publicUrl }}{{ end }}
{{- if has "database" $needs }}{{ $required = append $required "DATABASE_URL" }}{{ end }}
{{- if has "objects" $needs }}
{{- $plain = merge $plain (dict "STORAGE_DIR" "/data/objects" "STORAGE_URL" $values.objectStore.url) }}
{{- $optional = concat $optional (list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" "AWS_SESSION_TOKEN") }}
{{- with $values.objectStore.tls.secret }}
{{- $plain = merge $plain (dict "NODE_EXTRA_CA_CERTS" (printf "/tls/objects/%s" $values.objectStore.tls.ca)) }}
{{- end }}
{{- end }}
{{- if has "masterKeys" $needs }}{{ $_ := set $plain "SECRETS_KEY_FILE" "/secrets/master-keys.json" }}{{ end }}
{{- if has "mail" $needs }}
{{- if $values.mail.smtp }}{{ $required = append $required "SMTP_URL" }}
{{- else }}{{ $_ := set $plain "MAIL_DIR" "/data/mail" }}{{ end }}
{{- end }}
{{- if eq (get .config.settings "PAYMENT_PROVIDER") "stripe" }}
{{- $required = concat $required (list "STRIPE_SECRET_KEY" "STRIPE_WEBHOOK_SECRET") }}
{{- end }}
{{- $plain = merge $plain (include "millrace.tlsEnvironment" . | fromYaml) }}
{{- include "millrace.plainVariables" (mergeOverwrite $plain (deepCopy $values.settings) (deepCopy .config.settings)) }}
{{- include "millrace.secretVariables" (dict "config" .config "required" $required "optional" $optional) }}
{{- end }}

{{- define "millrace.plainVariables" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ include "millrace.text" $value | quote }} }
{{- end }}
{{- end }}

{{/* Variables from Secrets. A reference of their own takes precedence over the Secret of the service. */}}
{{- define "millrace.secretVariables" -}}
{{- $config := .config }}
{{- $optional := .optional }}
{{- range (concat .required $optional (keys (omit $config.secretRefs "master-keys.json")) | uniq | sortAlpha) }}
{{- $ref := get $config.secretRefs . | default dict }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $ref.name | default $config.secret }}
      key: {{ $ref.key | default . }}
      {{- if and (has . $optional) (not $ref) }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{/* Paths of CA and client certificate for each server that has a Secret with them. */}}
{{- define "millrace.tlsEnvironment" -}}
{{- range include "millrace.tlsServers" . | fromYamlArray }}
{{- $server := . }}
{{- range $file, $key := dict "CA" .tls.ca "CERT" .tls.cert "KEY" .tls.key }}
{{- if $key }}
{{ $server.prefix }}_{{ $file }}_FILE: /tls/{{ $server.name }}/{{ $key }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Servers with TLS files that this container connects to, as a list. */}}
{{- define "millrace.tlsServers" -}}
{{- $values := .root.Values }}
{{- $servers := list (dict "name" "redis" "prefix" "REDIS") (dict "name" "nats" "prefix" "NATS") }}
{{- if has "database" .needs }}{{ $servers = append $servers (dict "name" "postgres" "prefix" "DATABASE") }}{{ end }}
{{- $found := list }}
{{- range $servers }}
{{- $tls := (get $values .name).tls }}
{{- if $tls.secret }}{{ $found = append $found (merge (dict "tls" $tls) .) }}{{ end }}
{{- end }}
{{- toYaml $found }}
{{- end }}

{{/* Variables of connections to Postgres alone, for programs that use no other server. */}}
{{- define "millrace.databaseTls" -}}
{{- range $name, $path := include "millrace.tlsEnvironment" (dict "root" . "needs" (list "database")) | fromYaml }}
{{- if hasPrefix "DATABASE_" $name }}
{{ $name }}: {{ $path }}
{{- end }}
{{- end }}
{{- end }}
