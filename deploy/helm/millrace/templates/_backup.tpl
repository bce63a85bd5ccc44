{{- define "millrace.backupVariables" -}}
STORAGE_URL: {{ .Values.objectStore.url | quote }}
# Local copies of objects while they are read.
STORAGE_DIR: /tmp/objects
SECRETS_KEY_FILE: /secrets/master-keys.json
{{- if .Values.objectStore.tls.secret }}
NODE_EXTRA_CA_CERTS: {{ printf "/tls/objects/%s" .Values.objectStore.tls.ca | quote }}
{{- end }}
{{- include "millrace.databaseTls" . }}
{{- end }}

{{/*
A backup reads what migrations, runs and workflows use: the database as its owner, the object store, and the keys that
encrypt. So it needs no Secret of its own, and `secretRefs` replaces single variables.
*/}}
{{- define "millrace.backupSecrets" -}}
{{- $ofRuns := pick .Values.runs.secretRefs "MILLRACE_SECRET" "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" "AWS_SESSION_TOKEN" }}
{{- $owner := get .Values.migrations.secretRefs "DATABASE_URL" | default (dict "name" .Values.migrations.secret) }}
{{- $aws := list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" "AWS_SESSION_TOKEN" }}
{{/* The token of other credentials would not fit. */}}
{{- if hasKey .Values.backup.secretRefs "AWS_ACCESS_KEY_ID" }}
{{- $ofRuns = pick $ofRuns "MILLRACE_SECRET" }}
{{- $aws = list }}
{{- end }}
{{- $refs := merge (deepCopy .Values.backup.secretRefs) (deepCopy $ofRuns) (dict "DATABASE_URL" $owner) }}
{{- include "millrace.secretVariables" (dict "config" (dict "secret" .Values.runs.secret "secretRefs" $refs)
  "required" (list "DATABASE_URL" "MILLRACE_SECRET")
  "optional" $aws) }}
{{- end }}
