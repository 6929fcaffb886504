package app

import (
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
)

// sealedKind is a kind of sealed value.
type sealedKind struct {
	name string
	open func(k *secret.Keeper, rowID string, sealed []byte) error
	cure string // how an operator replaces a value that no key opens
}

// sealedKinds are those of pgupkeep.SealedColumns, by table and column.
var sealedKinds = map[string]sealedKind{
	"integrations.credentials": {"credentials of integrations", opens(provider.OpenCredentials), "enter the credentials of integrations again"},
	"integrations.configurations": {
		"settings of integrations", opens(provider.OpenConfigurations), "enter the settings of integrations again",
	},
	"channel_connections.access_token":  {"tokens of connected workspaces", opens(provider.OpenToken), "connect the workspaces again"},
	"variables.sealed":                  {"secret variables", opens(provider.OpenVariable), "enter the secret variables again"},
	"webhook_endpoints.secret":          {"secrets of webhook endpoints", opens(provider.OpenWebhookSecret), "run `carillon webhooks rotate`"},
	"webhook_endpoints.previous_secret": {"secrets of webhook endpoints", opens(provider.OpenWebhookSecret), "run `carillon webhooks rotate`"},
	"environments.inbox_secret": {"inbox secrets", opens(func(k *secret.Keeper, environmentID string, sealed []byte) ([]byte, error) {
		return k.Open(sealed, auth.InboxSecretPurpose(environmentID))
	}), "call rotateInboxSecret"},
	"users.second_factor": {"second factors", opens(auth.OpenSecondFactor), "run `carillon users reset-second-factor`"},
}

const (
	sealedURLs    = "webhook URLs of subscribers"
	sealedURLCure = "have the webhook URLs of subscribers stored again"
	urlSample     = 1_000 // rows of each column with URLs, the newest: events and messages are many
)

func opens[T any](open func(*secret.Keeper, string, []byte) (T, error)) func(*secret.Keeper, string, []byte) error {
	return func(k *secret.Keeper, rowID string, sealed []byte) error {
		_, err := open(k, rowID, sealed)
		return err
	}
}

// sealed is what was found of one kind.
type sealed struct {
	name, cure string
	opened     int
	older      int      // opened, but not by the key that seals now
	closed     []string // the first of them
	closedAll  int
}

func (s *sealed) add(row string, opens, current bool) {
	switch {
	case !opens:
		s.closedAll++
		if len(s.closed) < listed {
			s.closed = append(s.closed, row)
		}
	case !current:
		s.older++
		fallthrough
	default:
		s.opened++
	}
}

// secrets tries the key on what is stored. Operators end a change of keys by what it says.
func (d *doctor) secrets(ctx context.Context, db *postgres.DB) {
	source := secretKeyOf(d.cfg)
	keeper, err := source.read(false)
	if err != nil {
		d.fail("secret key", "restore the key; 32 bytes in base64, as from: head -c 32 /dev/urandom | base64", "%s", err)
		return
	}
	known, err := pgupkeep.SecretCheck(ctx, db)
	if err != nil {
		d.failed("secret key", err)
		return
	}
	if known != nil && !keeper.Fits(known) {
		d.fail("secret key", "restore the key", "%s", source.mismatch(notThisKey))
		return
	}
	found, err := trySealed(ctx, db, keeper)
	if err != nil {
		d.failed("secret key", err)
		return
	}
	opened, older, closed, cures := 0, []string{}, []string{}, []string{}
	for _, kind := range found {
		opened += kind.opened
		if kind.older > 0 {
			older = append(older, kind.name)
		}
		if kind.closedAll > 0 {
			closed = append(closed, kind.name+" ("+enumerate(kind.closed, kind.closedAll)+")")
			cures = append(cures, kind.cure)
		}
	}
	switch {
	case len(closed) > 0:
		d.fail("secret key", "add the key they were stored under behind a comma; if it is lost, "+strings.Join(slices.Compact(cures), ", "),
			"it does not open: %s", strings.Join(closed, "; "))
	case len(older) > 0:
		d.ok("secret key", "opens all %d stored secrets, but needs an older key for %s: keep it behind the comma", opened, strings.Join(older, ", "))
	default:
		d.ok("secret key", "opens all %d stored secrets", opened)
	}
	d.urlsSealed(ctx, db, keeper)
}

// trySealed opens what is sealed, all of it but of webhook URLs the newest.
func trySealed(ctx context.Context, db *postgres.DB, keeper *secret.Keeper) (found []*sealed, err error) {
	for _, column := range pgupkeep.SealedColumns() {
		kind := sealedKinds[column.Table+"."+column.Column]
		of := &sealed{name: kind.name, cure: kind.cure}
		if last := len(found) - 1; last >= 0 && found[last].name == kind.name {
			of = found[last]
		} else {
			found = append(found, of)
		}
		for after, more := "", true; more; {
			page, err := pgupkeep.SealedValues(ctx, db, column, after)
			if err != nil {
				return nil, err
			}
			for _, v := range page {
				of.add(v.Name, kind.open(keeper, v.ID, v.Sealed) == nil, keeper.Current(v.Sealed))
				after = v.ID
			}
			more = len(page) == pgupkeep.SealedPage
		}
	}
	urls := &sealed{name: sealedURLs, cure: sealedURLCure}
	for _, column := range pgupkeep.URLColumns() {
		page, err := pgupkeep.SealedURLs(ctx, db, column, urlSample)
		if err != nil {
			return nil, err
		}
		for _, v := range page {
			_, err := keeper.OpenURL(v.EnvironmentID, v.Content)
			urls.add(column.Table+" "+v.ID, err == nil, strings.HasPrefix(v.Content, keeper.URLPrefix()))
		}
	}
	return append(found, urls), nil
}

// urlsSealed says when older rows than those that were tried may have URLs under another key.
func (d *doctor) urlsSealed(ctx context.Context, db *postgres.DB, keeper *secret.Keeper) {
	under, err := pgupkeep.URLsSealed(ctx, db)
	if err != nil {
		d.failed("webhook URLs", err)
		return
	}
	if under != "" && under != keeper.URLPrefix() {
		d.warn("webhook URLs", "keep the older key behind a comma until this is gone: a start of `carillon serve` or `carillon worker` seals "+
			"those that are left, and the start after it notes that there are none",
			"those stored longest ago may be sealed under another key than the first")
	}
}
