package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
)

// TestKeyThatHasChanged: a key that was good for the trigger before is judged anew for each, and first of all that is wrong.
func TestKeyThatHasChanged(t *testing.T) {
	t.Parallel()
	const bulk, wrong = `{"events":[` + oneTrigger + `]}`, `{"name":7}`
	for name, c := range map[string]struct {
		change string
		status int
		events int // after the trigger, the broadcast and the bulk, beside the one before
	}{
		"Good":        {`SELECT 1`, http.StatusCreated, 3},
		"Revoked":     {`UPDATE api_keys SET revoked_at = '2020-01-01'`, http.StatusUnauthorized, 0},
		"Expired":     {`UPDATE api_keys SET expires_at = '2020-01-01'`, http.StatusUnauthorized, 0},
		"Suspended":   {`UPDATE environments SET suspended = true`, http.StatusForbidden, 0},
		"FewerScopes": {`UPDATE api_keys SET scopes = '["audience"]'`, http.StatusForbidden, 0},
		"OtherScopes": {`UPDATE api_keys SET scopes = '["trigger"]'`, http.StatusCreated, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.workflow(t, "order-shipped", workflow.Definition{Steps: []workflow.Step{{StepID: "inbox", Type: workflow.StepInApp, Active: true}}}, true)
			require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, triggerPath, oneTrigger).Code)
			exec(t, b, c.change)

			want := func(good, got int) {
				t.Helper()
				if c.status != http.StatusCreated {
					good = c.status
				}
				require.Equal(t, good, got)
			}
			want(http.StatusUnprocessableEntity, b.ask(http.MethodPost, triggerPath, wrong).Code)
			want(http.StatusBadRequest, b.ask(http.MethodPost, triggerPath, `{`).Code)
			want(http.StatusCreated, b.ask(http.MethodPost, triggerPath, oneTrigger).Code)
			want(http.StatusCreated, b.ask(http.MethodPost, triggerPath+"/bulk", bulk).Code)
			want(http.StatusOK, b.ask(http.MethodPost, triggerPath+"/broadcast", `{"name":"order-shipped","payload":{}}`).Code)
			require.Equal(t, 1+c.events, b.count(t, "events"))
		})
	}
}

// TestKeyThatIsGivenScopes: a key that was refused for want of a scope is taken once it has it.
func TestKeyThatIsGivenScopes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflow(t, "order-shipped", workflow.Definition{Steps: []workflow.Step{{StepID: "inbox", Type: workflow.StepInApp, Active: true}}}, true)
	exec(t, b, `UPDATE api_keys SET scopes = '["audience"]'`)
	for range 2 {
		require.Equal(t, http.StatusForbidden, b.ask(http.MethodPost, triggerPath, oneTrigger).Code)
	}
	exec(t, b, `UPDATE api_keys SET scopes = '["audience","trigger"]'`)
	require.Equal(t, http.StatusCreated, b.ask(http.MethodPost, triggerPath, oneTrigger).Code)
	require.Equal(t, 1, b.count(t, "events"))
}

func exec(t *testing.T, b *bundle, sql string) {
	t.Helper()
	_, err := b.db.Pool.Exec(t.Context(), sql)
	require.NoError(t, err)
}
