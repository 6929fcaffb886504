package audience

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgpersonal"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
)

// maxErasedValues bounds what one check looks for.
const maxErasedValues = 50

// The purposes of the certificate's signature and of the hashes in it.
const (
	certificatePurpose = "erasure certificate"
	valuePurpose       = "erased value"
)

// ErasureCertificate is what a search for an erased person found, signed with the installation's secret key. It names no value:
// who has the key can show which ones were searched.
type ErasureCertificate struct {
	EnvironmentID string             `json:"environmentId"`
	Pseudonym     string             `json:"pseudonym"`
	Erased        bool               `json:"erased"`    // records are there under the pseudonym, none under the identifier
	CheckedAt     time.Time          `json:"checkedAt"` // real time
	Values        []string           `json:"values"`    // keyed hashes of what was searched, sorted
	Tables        int                `json:"tables"`
	Columns       int                `json:"columns"`
	Traces        []pgpersonal.Trace `json:"traces"` // where a value is still found
	Signature     string             `json:"signature"`
}

// Clean reports whether the person was erased and no value is left in the environment.
func (c *ErasureCertificate) Clean() bool {
	return c.Erased && !slices.ContainsFunc(c.Traces, func(t pgpersonal.Trace) bool { return !t.Shared })
}

// signed is what the signature covers: all members but itself, in one order.
func (c *ErasureCertificate) signed() string {
	unsigned := *c
	unsigned.Signature = ""
	text, _ := json.Marshal(unsigned) //nolint:errchkjson // texts, numbers and times
	return string(text)
}

// Check looks for an identifier, and for other values of the person that the operator names, in all that is stored, and signs what
// it found.
func (s *Erasures) Check(ctx context.Context, scope viewer.Scope, subscriberID string, values []string) (*ErasureCertificate, error) {
	if len(values) > maxErasedValues {
		return nil, fault.Invalidf("values", "must not be more than %d", maxErasedValues)
	}
	if slices.Contains(values, "") || subscriberID == "" {
		return nil, fault.Invalidf("values", "must not be empty")
	}
	ctx = viewer.InScope(ctx, scope)
	return usecase.Read(ctx, s.Deps, usecase.ErasePerson, func(ctx context.Context, db *ent.Client) (*ErasureCertificate, error) {
		c := &ErasureCertificate{EnvironmentID: scope.EnvironmentID, Pseudonym: pseudonym(s.secrets, scope, subscriberID), CheckedAt: time.Now().UTC().Truncate(time.Second)}
		known, err := db.Subscriber.Query().Where(subscriber.SubscriberIDIn(c.Pseudonym, subscriberID)).Select(subscriber.FieldSubscriberID).Strings(ctx)
		if err != nil {
			return nil, err
		}
		c.Erased = slices.Contains(known, c.Pseudonym) && !slices.Contains(known, subscriberID)
		all := usecase.Distinct(append([]string{subscriberID}, values...))
		search, err := pgpersonal.FindTraces(ctx, s.DB, scope, all)
		if err != nil {
			return nil, err
		}
		c.Tables, c.Columns, c.Traces = search.Tables, search.Columns, search.Traces
		for _, value := range all {
			c.Values = append(c.Values, s.secrets.Sign(valuePurpose, scope.EnvironmentID+"\x00"+value))
		}
		slices.Sort(c.Values)
		c.Signature = s.secrets.Sign(certificatePurpose, c.signed())
		return c, nil
	})
}

// Verify reports whether this installation signed a certificate as it is, and how many of the values it covers.
func (s *Erasures) Verify(c *ErasureCertificate, values []string) (genuine bool, covered int) {
	for _, value := range values {
		for _, hash := range c.Values {
			if s.secrets.Signed(valuePurpose, c.EnvironmentID+"\x00"+value, hash) {
				covered++
				break
			}
		}
	}
	return s.secrets.Signed(certificatePurpose, c.signed(), c.Signature), covered
}

// pseudonym takes the place of an erased person's identifier.
func pseudonym(secrets *secret.Keeper, scope viewer.Scope, subscriberID string) string {
	return "erased:" + secrets.Sign("erased subscriber", scope.EnvironmentID+"\x00"+subscriberID)
}
