package webhook_test

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/carillon/carillon/rest/client/webhook"
)

func Example() {
	verifier, err := webhook.New(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := verifier.Read(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		fmt.Printf("%s: %s\n", r.Header.Get("Webhook-Id"), body)
	})
}
