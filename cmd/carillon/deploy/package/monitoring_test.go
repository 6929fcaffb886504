package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// TestAlerts reads the rules as promtool does, and holds the figures that they name against those that Carillon has.
func TestAlerts(t *testing.T) {
	groups, errs := rulefmt.ParseFile("../monitoring/alerts.yml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil || len(groups.Groups) != 1 || len(groups.Groups[0].Rules) < 5 {
		t.Fatalf("%+v", groups)
	}
	known := figures(t)
	for _, r := range groups.Groups[0].Rules {
		checkFigures(t, r.Alert, r.Expr, known)
		if r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%q has no severity, summary or description", r.Alert)
		}
	}
}

var variable = regexp.MustCompile(`\$\w+`)

// TestRules evaluates the rules on figures, with promtool where it is installed.
func TestRules(t *testing.T) {
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed (Debian: prometheus)")
	}
	for _, args := range [][]string{{"check", "rules", "../monitoring/alerts.yml"}, {"test", "rules", "testdata/alerts_test.yml"}} {
		if out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// figureRow is a row of the list of figures, which is made from the sources.
var figureRow = regexp.MustCompile("(?m)^\\| `(carillon_[a-z_]+)` \\| (\\w+) \\| (.*?) \\|")

// figures are the labels of each figure that Carillon has.
func figures(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../../../internal/docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, row := range figureRow.FindAllStringSubmatch(string(text), -1) {
		names := []string{row[1]}
		labels := append(strings.FieldsFunc(row[3], func(r rune) bool { return strings.ContainsRune("`, ", r) }), "job", "instance", "__name__")
		if row[2] == "histogram" {
			names, labels = []string{row[1] + "_bucket", row[1] + "_sum", row[1] + "_count"}, append(labels, "le")
		}
		for _, name := range names {
			all[name] = labels
		}
	}
	if len(all) < 20 {
		t.Fatalf("%d figures", len(all))
	}
	return all
}

// checkFigures reports figures and labels of a query that Carillon does not have.
func checkFigures(t *testing.T, where, query string, known map[string][]string) {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		selector, ok := node.(*parser.VectorSelector)
		if !ok || !strings.HasPrefix(selector.Name, "carillon_") {
			return nil
		}
		if known[selector.Name] == nil {
			t.Errorf("%s: there is no figure %s", where, selector.Name)
		}
		for _, m := range selector.LabelMatchers {
			if !slices.Contains(known[selector.Name], m.Name) {
				t.Errorf("%s: %s has no label %s", where, selector.Name, m.Name)
			}
		}
		return nil
	})
}

// TestDashboard: every query of the dashboard is one that Prometheus reads, of figures that Carillon has.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../monitoring/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	ids, known := map[int]bool{}, figures(t)
	for _, p := range board.Panels {
		if ids[p.ID] || len(p.Targets) == 0 {
			t.Errorf("panel %q has the id of another one, or no query", p.Title)
		}
		ids[p.ID] = true
		for _, q := range p.Targets {
			checkFigures(t, p.Title, variable.ReplaceAllString(q.Expr, "x"), known)
		}
	}
}
