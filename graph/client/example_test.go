package client_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/carillon/carillon/graph/client"
)

func Example() {
	ctx := context.Background()
	c, err := client.New(os.Getenv("CARILLON_URL"), os.Getenv("CARILLON_KEY"))
	if err != nil {
		log.Fatal(err)
	}

	ada, err := c.UpsertSubscriber(ctx, client.CreateSubscriberInput{SubscriberId: "ada", Email: new("ada@example.com")})
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := c.Trigger(ctx, client.TriggerEventInput{
		Name:    "hello",
		To:      []*client.RecipientInput{{SubscriberId: &ada.SubscriberId}},
		Payload: map[string]any{"name": "Ada"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Status)

	// A page shows the inbox with a token of its subscriber's own.
	token, err := client.CreateSubscriberToken(ctx, c, &client.CreateSubscriberTokenInput{SubscriberId: "ada"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.CreateSubscriberToken.Token != "")

	_, err = client.GetSubscriber(ctx, c, "stranger")
	fmt.Println(client.Code(err))
	// Output:
	// PROCESSED
	// true
	// NOT_FOUND
}
