package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/carillon/carillon/rest/client"
)

func Example() {
	ctx := context.Background()
	c, err := client.New(os.Getenv("CARILLON_URL"), os.Getenv("CARILLON_KEY"))
	if err != nil {
		log.Fatal(err)
	}

	// Tell a subscriber, who is created when unknown, and the subscribers of a topic.
	result, err := c.TriggerEvent(ctx, client.TriggerRequest{
		Name: "hello",
		To: client.Recipients(
			client.RecipientProfile(client.SubscriberRecipient{SubscriberID: "ada", Email: client.Value("ada@example.com")}),
			client.RecipientTopic("news"),
		),
		Payload: map[string]any{"name": "Ada"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status)

	// A failure has the documented fields.
	_, err = c.GetPreferences(ctx, "stranger", nil)
	var failure *client.APIError
	if errors.As(err, &failure) {
		fmt.Println(failure.StatusCode)
	}
	// Output:
	// processed
	// 404
}
