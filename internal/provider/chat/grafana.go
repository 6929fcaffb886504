package chat

import (
	"cmp"
	"net/http"

	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var grafana = provider.Definition{
	ID: "grafana-on-call", Name: "Grafana OnCall", Channel: workflow.ChannelChat, Endpoints: webhookOnly,
	Credentials: []provider.Field{
		{Name: "alertUid", Label: "Alert UID", Kind: provider.KindString},
		{Name: "title", Label: "Title", Kind: provider.KindString},
		{Name: "imageUrl", Label: "Image URL", Kind: provider.KindString},
		{Name: "state", Label: "State", Kind: provider.KindString, Options: []string{"ok", "alerting"}},
		{Name: "externalLink", Label: "Link to details", Kind: provider.KindString},
	},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		return &hook{
			client: d.Client(), style: provider.Style{Case: provider.SnakeCase},
			body: func(m *provider.Message) map[string]any { // the subscriber's own settings come first
				own := m.Target.Setting
				return provider.Present(map[string]any{
					"alert_uid": cmp.Or(own.AlertUID, c.String("alertUid")), "title": cmp.Or(own.Title, c.String("title"), m.Content.Title),
					"image_url": cmp.Or(own.ImageURL, c.String("imageUrl")), "state": cmp.Or(own.State, c.String("state")),
					"link_to_upstream_details": cmp.Or(own.ExternalURL, c.String("externalLink")), "message": m.Content.Body,
				})
			},
			read: func(ans *provider.Answer) (*provider.Receipt, *provider.Error) {
				receipt := &provider.Receipt{ID: uuid.NewString()}
				if at, err := http.ParseTime(ans.Header.Get("Date")); err == nil {
					receipt.Date = at.UTC()
				}
				return receipt, nil
			},
		}, nil
	},
}
