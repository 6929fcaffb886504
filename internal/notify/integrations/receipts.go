package integrations

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/receipt"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Receipts are the use cases of what providers report about messages that they had taken.
type Receipts struct {
	usecase.Deps
	secrets   *secret.Keeper
	providers *provider.Registry
	vendor    http.RoundTripper // to the vendors' certificates; nil: no way out
	roots     *x509.CertPool    // that those lead to; nil: the system's

	count func(provider, kind string) // nil: receipts are not counted

	certificates *lru.Cache[string, certificate] // by address
}

type certificate struct {
	raw   []byte
	until time.Time
}

// ReceiptConnection is a page of receipts.
type ReceiptConnection = usecase.Connection[ent.Receipt]

// ReceiptEdge is one receipt of a page.
type ReceiptEdge = usecase.Edge[ent.Receipt]

// ReceiptFilter narrows a list of receipts; the fields that are set combine with AND.
type ReceiptFilter struct {
	IntegrationID *string // global or internal id
	MessageID     *string // global or internal id
	KindIn        []workflow.ReceiptKind
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *ReceiptFilter) predicates() (ps []predicate.Receipt, values usecase.Values) {
	if f == nil {
		return nil, values
	}
	if f.IntegrationID != nil {
		usecase.AnyOf(&values, receipt.FieldIntegrationID, usecase.PlainIDs("Integration", []string{*f.IntegrationID}))
	}
	if f.MessageID != nil {
		usecase.AnyOf(&values, receipt.FieldMessageID, usecase.PlainIDs("Message", []string{*f.MessageID}))
	}
	if f.KindIn != nil {
		usecase.AnyOf(&values, receipt.FieldKind, f.KindIn)
	}
	return usecase.Created(ps, &values, f.CreatedAfter, f.CreatedBefore, 0), values
}

// List is a page of receipts.
func (r *Receipts) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *ReceiptFilter) (*ReceiptConnection, error) {
	return usecase.Read(ctx, r.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ReceiptConnection, error) {
		ps, values := filter.predicates()
		return usecase.Paginate(ctx, db.Receipt.Query(), ps, page, r.Newest(order, values))
	})
}

// Get is one receipt by its global or internal id.
func (r *Receipts) Get(ctx context.Context, globalID string) (*ent.Receipt, error) {
	recordID, err := usecase.RecordID("Receipt", globalID)
	if err != nil {
		return nil, err
	}
	return r.one(ctx, globalID, receipt.ID(recordID))
}

// ByEvent is one receipt by its integration and the provider's own identifier.
func (r *Receipts) ByEvent(ctx context.Context, integrationID, eventID string) (*ent.Receipt, error) {
	return r.one(ctx, eventID, receipt.IntegrationIDIn(usecase.PlainIDs("Integration", []string{integrationID})...), receipt.ProviderEventID(eventID))
}

func (r *Receipts) one(ctx context.Context, name string, ps ...predicate.Receipt) (*ent.Receipt, error) {
	return usecase.Read(ctx, r.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (*ent.Receipt, error) {
		found, err := db.Receipt.Query().Where(ps...).Only(ctx)
		return found, usecase.NotFound(err, "Receipt %s was not found.", name)
	})
}

// inboundPath is where receiving addresses begin.
const (
	inboundPath    = "/v1/inbound/"
	inboundPurpose = "inbound receipts"
)

// InboundGrace is how long receipts are still taken after their integration was deleted (semantics.md §9.5).
const InboundGrace = 30 * 24 * time.Hour

// MaxInbound bounds the body of a report in bytes.
const MaxInbound = 4 << 20

// InboundPath is the receiving address of an integration, without the server; nil when it has none.
func (i *Integrations) InboundPath(ctx context.Context, found *ent.Integration) (*string, error) {
	if _, err := usecase.Require(ctx, usecase.WriteIntegrations); err != nil || !i.providers.ReadsReceipts(found.ProviderID) {
		return nil, nil //nolint:nilerr // the address is a secret: others see none
	}
	stored, err := provider.OpenConfigurations(i.secrets, found.ID, found.Configurations)
	if err != nil {
		return nil, err
	}
	if enabled, _ := stored[inboundWebhookEnabled].(bool); !enabled {
		return nil, nil
	}
	return new(i.inboundPath(found.ID)), nil
}

func (i *Integrations) inboundPath(integrationID string) string {
	return inboundPath + integrationID + "." + i.secrets.Sign(inboundPurpose, integrationID)
}

// ReceiptsPath is the receiving address of an integration to send to its provider with each message, without the
// server; "" when there is none. It is none either where the operator gave the provider a password to send, which the
// address alone does not carry.
func (i *Integrations) ReceiptsPath(found *ent.Integration) (string, error) {
	if !i.providers.ReadsReceipts(found.ProviderID) {
		return "", nil
	}
	stored, err := provider.OpenConfigurations(i.secrets, found.ID, found.Configurations)
	if err != nil {
		return "", err
	}
	enabled, _ := stored[inboundWebhookEnabled].(bool)
	password, _ := stored[inboundWebhookSigningKey].(string)
	if !enabled || password != "" && !i.providers.SignsReceipts(found.ProviderID) {
		return "", nil
	}
	return i.inboundPath(found.ID), nil
}

// Accept takes what a vendor posted to a receiving address. in lacks what belongs to the integration. It fails with *Elsewhere
// when the organization has moved.
func (r *Receipts) Accept(ctx context.Context, token string, in provider.Inbound) error {
	unknown := fault.NotFoundf("This address receives nothing.")
	integrationID, signature, _ := strings.Cut(token, ".")
	if !id.Valid(integrationID) || !r.secrets.Signed(inboundPurpose, integrationID, signature) {
		return unknown
	}
	ctx = viewer.SystemContext(ctx)
	found, err := r.DB.Client(ctx).Integration.Get(ctx, integrationID)
	if err != nil {
		return postgres.Translate(usecase.NotFound(err, "This address receives nothing."))
	}
	configurations, err := provider.OpenConfigurations(r.secrets, found.ID, found.Configurations)
	if err != nil {
		return err
	}
	if enabled, _ := configurations[inboundWebhookEnabled].(bool); !enabled ||
		found.Deleted && (found.DeletedAt == nil || r.Now().Sub(*found.DeletedAt) > InboundGrace) {
		return r.orElsewhere(ctx, found.EnvironmentID, unknown) // a move has emptied it
	}
	if in.Credentials, err = provider.OpenCredentials(r.secrets, found.ID, found.Credentials); err != nil {
		return err
	}
	if in.Credentials, err = withVariables(ctx, r.DB.Client(ctx), r.secrets, found.EnvironmentID, in.Credentials); err != nil {
		return err
	}
	in.Key, _ = configurations[inboundWebhookSigningKey].(string)
	in.Roots = r.roots
	in.Now, in.Fetch = r.Now(), func(address string) ([]byte, error) { return r.certificate(ctx, address) }
	reports, err := r.providers.ReadReceipts(found.ProviderID, &in)
	switch {
	case errors.Is(err, provider.ErrSignature):
		return fault.Unauthenticatedf("The signature is missing or wrong.")
	case errors.Is(err, provider.ErrMalformed):
		return fault.Invalidf("body", "cannot be read")
	case errors.Is(err, provider.ErrNoReceipts):
		return unknown
	case err != nil:
		return err
	}
	if reports.Confirm != "" {
		_, err := r.fetch(ctx, reports.Confirm)
		return err
	}
	report := pgmessage.ReceiptReport{
		Receipts: make([]pgmessage.ReceiptRow, len(reports.List)), Proven: reports.Proven, Token: reports.Token, Expires: reports.Expires,
	}
	if r.count != nil {
		report.Recorded = func(kind workflow.ReceiptKind) { r.count(found.ProviderID, string(kind)) }
	}
	for k, v := range reports.List {
		report.Receipts[k] = pgmessage.ReceiptRow{
			EventID: v.EventID, Kind: v.Kind, ProviderMessageID: v.MessageID, MessageID: v.OwnID, Recipient: v.Recipient, At: v.At,
			Permanent: v.Permanent, Detail: v.Detail,
		}
	}
	if err := pgmessage.RecordReceipts(ctx, r.DB, viewer.Scope{EnvironmentID: found.EnvironmentID}, found.ID, found.Channel, report); postgres.IsMove(err) {
		return r.orElsewhere(ctx, found.EnvironmentID, postgres.Translate(err))
	} else if err != nil {
		return err
	}
	return nil
}

// How many certificates are kept, and for how long: each receipt names the one that it is signed with.
const (
	maxCertificates = 64 // there are three dozen regions, and a few issuers
	certificateLife = time.Hour
)

func (r *Receipts) certificate(ctx context.Context, address string) ([]byte, error) {
	if kept, ok := r.certificates.Get(address); ok && r.Now().Before(kept.until) {
		return kept.raw, nil
	}
	raw, err := r.fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	r.certificates.Add(address, certificate{raw, r.Now().Add(certificateLife)})
	return raw, nil
}

// fetch reads a small document of a vendor.
func (r *Receipts) fetch(ctx context.Context, address string) ([]byte, error) {
	if r.vendor == nil {
		return nil, errors.New("there is no way out to the vendor")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("ask the vendor: %w", err)
	}
	answer, err := r.vendor.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("ask the vendor: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask the vendor: status %d", answer.StatusCode)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 64<<10))
}
