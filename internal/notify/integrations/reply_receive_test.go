package integrations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

// TestRepliesToEarlierVersions: a run that has come to a version without the step of its mail leaves the mail's address as it is.
func TestRepliesToEarlierVersions(t *testing.T) {
	t.Parallel()
	s := pgtest.NewStore(t)
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	deps := usecase.Deps{DB: s.DB, Now: time.Now}
	replies := integrations.New(deps, usecase.Config{Secrets: keeper, InboundDomain: "in.example.com"}, &audience.Preferences{Deps: deps}).Replies
	s.Exec(`DELETE FROM replies`)
	workflow := s.Add(s.Here, "workflows", pgtest.Values{"identifier": "versions"})
	version := func(number int, steps string) string {
		return s.Add(s.Here, "workflow_versions", pgtest.Values{
			"workflow_id": workflow, "number": number, "definition": `{"steps": [` + steps + `]}`,
		})
	}
	callback := func(url string) string {
		return `{"stepId": "mail", "type": "email", "replyCallback": {"active": true, "url": "` + url + `"}}`
	}
	version(1, callback("https://before.example"))
	began := version(2, `{"stepId": "bell", "type": "in_app"}`)
	version(3, callback("https://old.example"))
	version(4, callback("https://new.example"))
	version(5, "")
	present := version(6, "")
	version(7, callback("https://after.example"))
	event := s.Add(s.Here, "events", pgtest.Values{"transaction_id": "versions", "workflow_id": workflow, "workflow_version_id": began})
	run := s.Add(s.Here, "notifications", pgtest.Values{"event_id": event, "workflow_id": workflow, "workflow_version_id": present})
	message := s.Add(s.Here, "messages", pgtest.Values{"event_id": event, "notification_id": run, "step_id": "mail", "subscriber_id": s.Here.IDs["subscribers"]})

	mail := []byte("Message-ID: <1@example.com>\r\nSubject: s\r\n\r\nx")
	require.NoError(t, replies.Receive(t.Context(), message, mail))
	require.Equal(t, []string{"https://new.example"}, pgtest.Column[string](s, s.Here, "replies", "url"))
	s.Exec(`UPDATE notifications SET workflow_version_id = $2 WHERE id = $1`, run, began)
	require.Equal(t, fault.NotFound, fault.KindOf(replies.Receive(t.Context(), message, mail)), "versions that the run has not come to do not count")
}
