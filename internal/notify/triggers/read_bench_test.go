package triggers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

// BenchmarkRead measures how long it takes to read and check an event: the usual one, and one that holds all there is.
func BenchmarkRead(b *testing.B) {
	full := make([]string, workflow.MaxRecipients)
	for i := range full {
		full[i] = fmt.Sprintf(`{"subscriberId":"u%d","firstName":"Ada","lastName":"Lovelace","email":"ada@example.com","avatar":"https://example.com/a.png",
			"phone":null,"data":{"plan":"pro","seats":12},"channels":[{"providerId":"fcm","credentials":{"deviceTokens":["token-%d"]}}]}`, i, i)
	}
	bare := make([]string, workflow.MaxRecipients)
	for i := range bare {
		bare[i] = fmt.Sprintf(`"u%d"`, i)
	}
	const payload = `"payload":{"order":{"id":1,"total":"129.90","currency":"EUR"},"items":["keyboard","cable","screws"],"note":"leave at the door"}`
	for _, c := range []struct{ name, document string }{
		{"usual", `{"name":"order-shipped","to":"u1",` + payload + `}`},
		{"object", `{"name":"order-shipped","to":{"subscriberId":"u1","email":"ada@example.com","firstName":"Ada"},` + payload + `}`},
		{"ids", `{"name":"order-shipped","to":[` + strings.Join(bare, ",") + `],` + payload + `}`},
		{"full", `{"name":"order-shipped","transactionId":"t1","to":[` + strings.Join(full, ",") + `,{"topicKey":"orders","exclude":["x"]}],` +
			`"overrides":{"severity":"high","email":{"from":"a@example.com"}},"actor":{"subscriberId":"a","firstName":"Ada"},` +
			`"tenant":{"identifier":"acme","name":"Acme"},"context":{"region":"eu","app":{"id":"web","data":{"v":1}}},` + payload + `}`},
	} {
		document := []byte(c.document)
		if c.name == "full" {
			document = []byte(strings.Replace(c.document, full[0]+",", "", 1))
		}
		providers := newKnownProviders(workflowtest.Providers, workflow.OwnPrefix)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if read := parseTrigger(NewTriggerInput(document, nil), event.KindTrigger, providers); read.problems.Any() {
					b.Fatal(read.problems.Err())
				}
			}
		})
	}
}
