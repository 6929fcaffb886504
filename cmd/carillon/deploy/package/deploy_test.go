package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

const key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

// TestCompose loads the compose file as Docker's client does, which checks it against the schema.
func TestCompose(t *testing.T) {
	load := func(env ...string) (map[string][]string, error) {
		options, err := cli.NewProjectOptions([]string{"../compose.yml"}, cli.WithEnv(env))
		if err != nil {
			return nil, err
		}
		project, err := options.LoadProject(t.Context())
		if err != nil {
			return nil, err
		}
		commands := map[string][]string{}
		for name, s := range project.Services {
			commands[name] = s.Command
			if strings.HasPrefix(s.Image, "carillon:") && (!s.ReadOnly || s.Environment["CARILLON_SECRET_KEY"] == nil) {
				return nil, fmt.Errorf("%s may write to its image, or has no secret key", name)
			}
		}
		return commands, nil
	}
	commands, err := load("CARILLON_SECRET_KEY=" + key)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"migrate", "serve", "worker"} {
		if len(commands[name]) != 1 || commands[name][0] != name {
			t.Errorf("%s runs %q", name, commands[name])
		}
	}
	if _, err := load(); err == nil || !strings.Contains(err.Error(), "set it in .env") {
		t.Errorf("without a secret key: %v", err)
	}
}

// TestChart lints the chart and reads what it writes as Kubernetes does, with values that use each of its parts.
func TestChart(t *testing.T) {
	minimal := map[string]any{"secrets": map[string]any{"databaseUrl": "postgres://db/carillon", "secretKey": key}}
	all := map[string]any{
		"existingSecret": "mine",
		"settings":       map[string]any{"CARILLON_PUBLIC_URL": "https://notify.example.com", "CARILLON_RATE_TRIGGER": 100},
		"worker":         map[string]any{"replicas": 3, "tolerations": []any{map[string]any{"key": "spot", "operator": "Exists"}}},
		"ingress":        map[string]any{"enabled": true, "className": "nginx", "tlsSecret": "tls"},
		"metrics":        map[string]any{"serviceMonitor": true}, "imagePullSecrets": []any{map[string]any{"name": "pull"}},
		"podAnnotations": map[string]any{"a": "b"},
	}
	for name, c := range map[string]struct {
		values map[string]any
		want   string // kinds and names
	}{
		"minimal": {minimal, "Deployment/x-carillon-serve Job/x-carillon-migrate PodDisruptionBudget/x-carillon-serve Secret/x-carillon Service/x-carillon Service/x-carillon-operations ServiceAccount/x-carillon"},
		"all":     {all, "Deployment/x-carillon-serve Deployment/x-carillon-worker Ingress/x-carillon Job/x-carillon-migrate PodDisruptionBudget/x-carillon-serve Service/x-carillon Service/x-carillon-operations ServiceAccount/x-carillon ServiceMonitor/x-carillon"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, m := range lint.AllWithKubeVersion("../chart", c.values, "x", &chartutil.KubeVersion{Version: "v1.30.0", Major: "1", Minor: "30"}).Messages {
				if m.Severity >= support.WarningSev {
					t.Error(m)
				}
			}
			if got := strings.Join(kinds(t, c.values), " "); got != c.want {
				t.Errorf("writes\n%s\nnot\n%s", got, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		values map[string]any
		want   string
	}{
		"no secret":       {nil, "set secrets.databaseUrl"},
		"short key":       {map[string]any{"secrets": map[string]any{"databaseUrl": "postgres://db/c", "secretKey": "short"}}, "secretKey"},
		"unknown value":   {map[string]any{"replicas": 1}, "replicas"},
		"unknown setting": {map[string]any{"settings": map[string]any{"ADDR": ":80"}}, "ADDR"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := render(c.values, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("no error that names %q: %v", c.want, err)
			}
		})
	}
}

// TestPodsLeaveTheirServiceFirst: pods that serve wait before they are asked to stop, where Kubernetes can make them.
func TestPodsLeaveTheirServiceFirst(t *testing.T) {
	values := map[string]any{"existingSecret": "mine", "worker": map[string]any{"replicas": 1}}
	for version, want := range map[string]int{"v1.29.0": 0, "v1.30.0-eks-1": 1} {
		caps := chartutil.DefaultCapabilities.Copy()
		caps.KubeVersion = chartutil.KubeVersion{Version: version}
		rendered, err := render(values, caps)
		if err != nil {
			t.Fatal(err)
		}
		if found := strings.Count(rendered["carillon/templates/deployments.yaml"], "preStop: {sleep: {seconds: 5}}"); found != want {
			t.Errorf("%s: %d deployments wait, not %d", version, found, want)
		}
	}
}

// TestEveryProcessIsMonitored: pods that only deliver are behind the Service whose figures are read.
func TestEveryProcessIsMonitored(t *testing.T) {
	rendered, err := render(map[string]any{"existingSecret": "mine", "worker": map[string]any{"replicas": 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found := strings.Count(rendered["carillon/templates/deployments.yaml"], "{name: operations, containerPort: 8081}"); found != 2 {
		t.Errorf("%d deployments have the port", found)
	}
	_, operations, _ := strings.Cut(rendered["carillon/templates/service.yaml"], "name: x-carillon-operations")
	operations, _, _ = strings.Cut(operations, "---")
	if _, selector, _ := strings.Cut(operations, "selector:"); selector == "" || strings.Contains(selector, "component") {
		t.Errorf("the Service leaves some out: %s", selector)
	}
}

func render(values map[string]any, caps *chartutil.Capabilities) (map[string]string, error) {
	chart, err := loader.Load("../chart")
	if err != nil {
		return nil, err
	}
	merged, err := chartutil.ToRenderValues(chart, values, chartutil.ReleaseOptions{Name: "x", Namespace: "default", IsInstall: true}, caps)
	if err != nil {
		return nil, err
	}
	return engine.Render(chart, merged)
}

// kinds are what the chart writes, each read into its type without a field that the type has not.
func kinds(t *testing.T, values map[string]any) (names []string) {
	t.Helper()
	rendered, err := render(values, nil)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range rendered {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		for document := range strings.SplitSeq(text, "\n---\n") {
			var meta struct {
				Kind     string
				Metadata struct{ Name string }
			}
			if err := yaml.Unmarshal([]byte(document), &meta); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if meta.Kind == "" {
				continue
			}
			names = append(names, meta.Kind+"/"+meta.Metadata.Name)
			into, known := map[string]any{
				"Deployment": &appsv1.Deployment{}, "Job": &batchv1.Job{}, "Secret": &corev1.Secret{}, "Service": &corev1.Service{},
				"ServiceAccount": &corev1.ServiceAccount{}, "Ingress": &networkingv1.Ingress{},
				"PodDisruptionBudget": &policyv1.PodDisruptionBudget{}, "ServiceMonitor": &map[string]any{},
			}[meta.Kind]
			if !known {
				t.Fatalf("%s: kind %q is not expected", file, meta.Kind)
			}
			if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
				t.Errorf("%s: %s: %v", file, meta.Kind, err)
			}
			if d, ok := into.(*appsv1.Deployment); ok {
				hardened(t, d)
			}
		}
	}
	slices.Sort(names)
	return names
}

// hardened holds what the restricted pod security standard asks for.
func hardened(t *testing.T, d *appsv1.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	container := pod.Containers[0].SecurityContext
	if pod.SecurityContext == nil || pod.SecurityContext.RunAsNonRoot == nil || !*pod.SecurityContext.RunAsNonRoot ||
		container == nil || container.ReadOnlyRootFilesystem == nil || !*container.ReadOnlyRootFilesystem ||
		container.AllowPrivilegeEscalation == nil || *container.AllowPrivilegeEscalation {
		t.Errorf("%s runs with too many rights", d.Name)
	}
	if strings.HasSuffix(d.Name, "-serve") && (pod.Containers[0].ReadinessProbe == nil || pod.Containers[0].LivenessProbe == nil) {
		t.Errorf("%s has no probes", d.Name)
	}
}
