{{/* Volumes of a pod. Arguments: root, needs, pod (values, which may have further ones). */}}
{{- define "millrace.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- if has "objects" .needs }}
{{- with .root.Values.objectStore.tls.secret }}
- { name: tls-objects, secret: { secretName: {{ . }}, defaultMode: 288 } }
{{- end }}
{{- end }}
{{- range include "millrace.tlsServers" . | fromYamlArray }}
- { name: tls-{{ .name }}, secret: { secretName: {{ .tls.secret }}, defaultMode: 288 } }
{{- end }}
{{- with .pod.volumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "millrace.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if and (has "objects" .needs) .root.Values.objectStore.tls.secret }}
- { name: tls-objects, mountPath: /tls/objects, readOnly: true }
{{- end }}
{{- range include "millrace.tlsServers" . | fromYamlArray }}
- { name: tls-{{ .name }}, mountPath: /tls/{{ .name }}, readOnly: true }
{{- end }}
{{- with .pod.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Scratch space that only this pod has: a volume claim of the pod with a storage class, otherwise an emptyDir. */}}
{{- define "millrace.scratchVolume" -}}
{{- if .volume.storageClassName }}
ephemeral:
  volumeClaimTemplate:
    spec:
      accessModes: [ReadWriteOnce]
      storageClassName: {{ .volume.storageClassName }}
      resources: { requests: { storage: {{ .volume.size }} } }
{{- else }}
emptyDir: { sizeLimit: {{ .volume.size }} }
{{- end }}
{{- end }}
