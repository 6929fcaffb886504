package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

type promoteCommand struct {
	Plan  promotePlanCommand  `cmd:"" help:"Show what a promotion would change."`
	Apply promoteApplyCommand `cmd:"" help:"Take resources of another environment over, in one transaction."`
	List  promoteListCommand  `cmd:"" help:"List the promotions into the environment."`
	Undo  promoteUndoCommand  `cmd:"" help:"Make the environment hold again what it held before a promotion."`
}

// promotionFlags choose what is promoted, and from where. The API key is that of the target.
type promotionFlags struct {
	environmentFlags `embed:""`

	SourceKey        string   `help:"API key of the environment that resources are taken from." env:"CARILLON_SOURCE_API_KEY" required:""`
	Part             []string `help:"Resource to promote, such as workflow/order-shipped. Empty: all that both keys reach." placeholder:"KIND/NAME,..."`
	WithDependencies bool     `help:"Also promote what the parts refer to and the environment lacks."`
}

func (f promotionFlags) input() (map[string]any, error) {
	in := map[string]any{"sourceKey": f.SourceKey, "withDependencies": f.WithDependencies}
	var parts []map[string]any
	for _, text := range f.Part {
		kind, name, ok := strings.Cut(text, "/")
		kinds, err := kindsNamed([]string{kind + "s"})
		if !ok || err != nil {
			return nil, fmt.Errorf("--part %s: write a kind and a name, such as workflow/order-shipped", text)
		}
		parts = append(parts, map[string]any{"kind": kinds[0], "name": name})
	}
	if parts != nil {
		in["parts"] = parts
	}
	return in, nil
}

func (f promotionFlags) plan(ctx context.Context, in map[string]any) (*planned, error) {
	var answer struct{ PromotionPlan planned }
	const ask = `query($in: PromotionInput!) { promotionPlan(input: $in) {` + planFields + `} }`
	err := f.client().GraphQL(ctx, ask, map[string]any{"in": in}, &answer)
	return &answer.PromotionPlan, err
}

const heldParts = "The environment holds these resources already."

type promotePlanCommand struct {
	promotionFlags `embed:""`
}

// Run prints what a promotion would change.
func (c promotePlanCommand) Run(ctx context.Context) error {
	in, err := c.input()
	if err != nil {
		return err
	}
	plan, err := c.plan(ctx, in)
	if err != nil {
		return err
	}
	plan.print(stdout, heldParts)
	if len(plan.Changes) > 0 {
		return errDiffers
	}
	return nil
}

type promoteApplyCommand struct {
	promotionFlags `embed:""`

	Fingerprint string `help:"The fingerprint that plan printed: nothing is promoted when either environment has changed since. Empty: what the source holds now is taken over." placeholder:"TEXT"`
}

// Run promotes.
func (c promoteApplyCommand) Run(ctx context.Context) error {
	in, err := c.input()
	if err != nil {
		return err
	}
	if c.Fingerprint != "" {
		in["fingerprint"] = c.Fingerprint
	}
	var answer struct{ Promote promotedAnswer }
	const ask = `mutation($in: PromotionInput!) { promote(input: $in) {` + promotedFields + `} }`
	if err := c.client().GraphQL(ctx, ask, map[string]any{"in": in}, &answer); err != nil {
		return err
	}
	answer.Promote.print()
	return nil
}

const promotedFields = ` promotion { internalId } plan {` + planFields + `} `

type promotedAnswer struct {
	Promotion *struct{ InternalID string }
	Plan      planned
}

func (p promotedAnswer) print() {
	p.Plan.print(stdout, heldParts)
	if p.Promotion != nil {
		fmt.Fprintln(stdout, "promotion", p.Promotion.InternalID)
	}
}

type promoteListCommand struct {
	environmentFlags `embed:""`

	Count int `help:"How many, at most 100." default:"20"`
}

// Run prints the promotions, newest first.
func (c promoteListCommand) Run(ctx context.Context) error {
	var answer struct {
		Promotions struct {
			Nodes []struct {
				InternalID, SourceIdentifier, ActorType, ActorName string
				UndoesID, UndoneByID                               *string
				CreatedAt                                          time.Time
				Resources                                          []struct{ Kind, Name, Action string }
			}
		}
	}
	const ask = `query($n: Int!) { promotions(first: $n) { nodes {
		internalId sourceIdentifier actorType actorName undoesId undoneById createdAt resources { kind name action } } } }`
	if err := c.client().GraphQL(ctx, ask, map[string]any{"n": c.Count}, &answer); err != nil {
		return err
	}
	for _, p := range answer.Promotions.Nodes {
		state := ""
		if p.UndoesID != nil {
			state = ", undoes " + *p.UndoesID
		}
		if p.UndoneByID != nil {
			state += ", undone by " + *p.UndoneByID
		}
		fmt.Fprintf(stdout, "%s %s from %s by %s%s\n", p.InternalID, p.CreatedAt.UTC().Format(time.RFC3339), p.SourceIdentifier, oneLine(cmp.Or(p.ActorName, p.ActorType)), state)
		for _, r := range p.Resources {
			fmt.Fprintf(stdout, "    %s %s %s\n", signs[r.Action], strings.ToLower(strings.ReplaceAll(r.Kind, "_", " ")), r.Name)
		}
	}
	return nil
}

type promoteUndoCommand struct {
	environmentFlags `embed:""`

	ID string `arg:"" help:"Id of the promotion, as apply and list print it."`
}

// Run undoes a promotion.
func (c promoteUndoCommand) Run(ctx context.Context) error {
	var answer struct{ UndoPromotion promotedAnswer }
	const ask = `mutation($id: ID!) { undoPromotion(id: $id) {` + promotedFields + `} }`
	if err := c.client().GraphQL(ctx, ask, map[string]any{"id": c.ID}, &answer); err != nil {
		return err
	}
	answer.UndoPromotion.print()
	return nil
}
