package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// fuzzBody holds of any body sent to a route: no 5xx, an answer of the documented shape, and no change of state on a 4xx.
func fuzzBody(f *testing.F, path string, success int) {
	f.Helper()
	b := setup(f)
	b.workflows(f)
	for _, seed := range []string{
		`{"name":"order-shipped","to":"u1","payload":{"a":[1,2.5e3,null,true,"x\u00e9\ud83d\ude00"]}}`,
		`{"name":"order-shipped","to":[{"subscriberId":"u1","channels":[{"providerId":"fcm","credentials":{"deviceTokens":["t"]}}]},{"topicKey":"t","exclude":["a"]}],"overrides":{"email":{"to":["a@b.c"]},"severity":"high"},"actor":{"subscriberId":"x"},"tenant":{"identifier":"t","data":{}},"context":{"a":"b","c":{"id":"d","data":{"e":1}}}}`,
		`{"name":"strict","to":"u1","payload":{"order":{"total":"x"}}}`,
		`{"name":"order-shipped","to":"u1","payload":{"a":"\u0000\ud800"},"transactionId":"\u0000"}`,
		`{"name":"order-shipped","payload":{"a":1e308,"b":-1e-999,"c":` + strings.Repeat("9", 400) + `}}`,
		`{"name":"order-shipped","to":"u1","payload":` + strings.Repeat(`{"a":`, 600) + `1` + strings.Repeat("}", 600) + `}`,
		`{"events":[{"name":"order-shipped","to":"u1"},{"name":1},null,[],{"name":"order-shipped","to":["\u0000"],"tenant":{"identifier":"t","name":"\u0000"}}]}`,
		`{"name":"order-shipped","to":{"subscriberId":"u1","data":{"a":"\u0000","b":1e999}}}`,
		`{"name":null,"to":null,"payload":null}`, `{}`, ``, ` `, `null`, `[]`, "\ufeff{}", "{\"a\":\"\xff\"}", `{"a":1`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := b.rows(t)
		w := b.ask(http.MethodPost, path, string(body))
		switch {
		case w.Code == success:
		case w.Code >= 400 && w.Code < 500:
			if after := b.rows(t); after != before {
				t.Fatalf("%d changed %d rows: %s", w.Code, after-before, body)
			}
		default:
			t.Fatalf("%d for %q: %s", w.Code, body, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Fatalf("not JSON: %s", w.Body)
		}
		if path == bulkPath && strings.Contains(w.Body.String(), "internal error") {
			t.Fatalf("an item failed inside: %q: %s", body, w.Body)
		}
	})
}

const bulkPath = "/v1/events/trigger/bulk"

func FuzzTrigger(f *testing.F)   { fuzzBody(f, "/v1/events/trigger", http.StatusCreated) }
func FuzzBroadcast(f *testing.F) { fuzzBody(f, "/v1/events/trigger/broadcast", http.StatusOK) }
func FuzzBulk(f *testing.F)      { fuzzBody(f, bulkPath, http.StatusCreated) }
