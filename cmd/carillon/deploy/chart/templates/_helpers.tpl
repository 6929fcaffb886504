{{- define "carillon.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "carillon.labels" -}}
app.kubernetes.io/name: carillon
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "carillon.secret" -}}
{{- .Values.existingSecret | default (include "carillon.name" .) -}}
{{- end -}}

{{- define "carillon.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{- define "carillon.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "carillon.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{/* The settings of every container. */}}
{{- define "carillon.settings" -}}
envFrom:
  - secretRef: {name: {{ include "carillon.secret" . }}}
env:
  - {name: CARILLON_ADDR, value: "0.0.0.0:8080"}
  - {name: CARILLON_OPERATIONS_ADDR, value: "0.0.0.0:8081"}
  {{- range $name, $value := .Values.settings }}
  - {name: {{ $name }}, value: {{ $value | toString | quote }}}
  {{- end }}
{{- end -}}
