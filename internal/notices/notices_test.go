package notices_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notices"
)

// read returns a file of the repository.
func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	require.NoError(t, err)
	return content
}

// TestModulesHaveTheirVersion: a notice names the version that go.mod requires, not one of an earlier build.
func TestModulesHaveTheirVersion(t *testing.T) {
	t.Parallel()
	required := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(string(read(t, "go.mod")), -1) {
		required[m[1]] = m[2]
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9.-]+\.[a-z]+/\S+) (v\d\S+)$`).FindAllStringSubmatch(notices.Text(), -1) {
		listed[m[1]] = true
		if version, ok := required[m[1]]; ok {
			require.Equal(t, version, m[2], m[1])
		}
	}
	for _, module := range []string{"entgo.io/ent", "github.com/jackc/pgx/v5", "github.com/99designs/gqlgen", "github.com/go-chi/chi/v5"} {
		require.True(t, listed[module], "%s is in every build", module)
	}
	require.False(t, listed["github.com/stretchr/testify"], "which only tests use")
}

// TestPackagesOfTheDashboard: each package that the dashboard is built from is listed with its locked version.
func TestPackagesOfTheDashboard(t *testing.T) {
	t.Parallel()
	var lock struct {
		Packages map[string]struct {
			Version      string
			Dependencies map[string]string
		}
	}
	require.NoError(t, json.Unmarshal(read(t, "internal/dashboard/web/package-lock.json"), &lock))
	direct := lock.Packages[""].Dependencies
	require.NotEmpty(t, direct)
	for name := range direct {
		require.Contains(t, notices.Text(), "\n"+name+" "+lock.Packages["node_modules/"+name].Version+"\n")
	}
}

func TestTextsOfLicences(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"Permission is hereby granted, free of charge", "Apache License", "Redistribution and use in source and binary forms"} {
		require.Contains(t, notices.Text(), words)
	}
	require.NotContains(t, notices.Text(), "\r")
	require.Equal(t, strings.ToValidUTF8(notices.Text(), ""), notices.Text())
}
