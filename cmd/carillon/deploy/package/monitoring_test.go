package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"regexp"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// TestAlerts reads the rules as promtool does.
func TestAlerts(t *testing.T) {
	groups, errs := rulefmt.ParseFile("../monitoring/alerts.yml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil || len(groups.Groups) != 1 || len(groups.Groups[0].Rules) < 5 {
		t.Fatalf("%+v", groups)
	}
	for _, r := range groups.Groups[0].Rules {
		if r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%q has no severity, summary or description", r.Alert)
		}
	}
}

var variable = regexp.MustCompile(`\$\w+`)

// TestDashboard: every query of the dashboard is one that Prometheus reads.
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
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || len(p.Targets) == 0 {
			t.Errorf("panel %q has the id of another one, or no query", p.Title)
		}
		ids[p.ID] = true
		for _, q := range p.Targets {
			if _, err := parser.NewParser(parser.Options{}).ParseExpr(variable.ReplaceAllString(q.Expr, "x")); err != nil {
				t.Errorf("%s: %v", p.Title, err)
			}
		}
	}
}
