package integrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
)

func TestSecretsAreGivenAnewForAnotherServer(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	secret := true
	_, err := a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "KEY", Value: "hidden", Secret: &secret})
	require.NoError(t, err)
	_, err = a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "BASE", Value: "https://api.mailgun.net"})
	require.NoError(t, err)
	smtp := notifytest.SMTP(map[string]any{"user": "shop", "password": "old"})
	relay := map[string]any{
		"baseUrl": "https://sms.example.com", "apiKeyRequestHeader": "X-Key", "apiKey": "one", "secretKeyRequestHeader": "X-Secret",
		"secretKey": "two", "from": "Shop",
	}
	mailgun := map[string]any{"apiKey": "one", "domain": "example.com", "from": "shop@example.com"}
	named := map[string]any{"apiKey": "{{ env.KEY }}", "domain": "example.com", "from": "shop@example.com"}
	for name, c := range map[string]struct {
		provider       string
		stored, change map[string]any
		refused        []string
	}{
		"another host":               {"nodemailer", smtp, map[string]any{"host": "evil.example"}, []string{"credentials.password"}},
		"another port":               {"nodemailer", smtp, map[string]any{"port": "2525"}, []string{"credentials.password"}},
		"with the mask":              {"nodemailer", smtp, map[string]any{"host": "evil.example", "password": usecase.Mask}, []string{"credentials.password"}},
		"with the secret":            {"nodemailer", smtp, map[string]any{"host": "new.example", "password": "old"}, nil},
		"without it":                 {"nodemailer", smtp, map[string]any{"host": "new.example", "user": nil, "password": nil}, nil},
		"the same host":              {"nodemailer", smtp, map[string]any{"host": " Mail.example.com ", "port": 587, "senderName": "Desk"}, nil},
		"a signing key stays here":   {"nodemailer", notifytest.SMTP(map[string]any{"tlsOptions": map[string]any{"minVersion": "TLSv1.2"}}), map[string]any{"host": "new.example"}, nil},
		"one of two secrets":         {"generic-sms", relay, map[string]any{"baseUrl": "https://evil.example", "apiKey": "one"}, []string{"credentials.secretKey"}},
		"an address of tokens":       {"generic-sms", relay, map[string]any{"domain": "https://evil.example", "authenticateByToken": true, "authenticationTokenKey": "token"}, []string{"credentials.apiKey", "credentials.secretKey"}},
		"away from the vendor":       {"mailgun", mailgun, map[string]any{"baseUrl": "https://evil.example"}, []string{"credentials.apiKey"}},
		"the vendor's, written out":  {"mailgun", mailgun, map[string]any{"baseUrl": "api.mailgun.net/"}, nil},
		"a variable with that value": {"mailgun", mailgun, map[string]any{"baseUrl": "{{ env.BASE }}"}, []string{"credentials.apiKey"}},
		"secrets that are variables": {"mailgun", named, map[string]any{"baseUrl": "https://proxy.example"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			made := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: c.provider, Credentials: c.stored})
			_, err := a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{ID: made.ID, Credentials: c.change})
			if c.refused == nil {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.refused, notifytest.Paths(t, err))
			stays, err := a.Integrations.OpenCredentials(a.Integration(t, made.Identifier))
			require.NoError(t, err)
			for name := range c.change {
				require.Equal(t, c.stored[name], stays[name], name)
			}
		})
	}
}

func TestTokensOfWorkspacesStayWithTheirServer(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "slack"})
	connected, err := a.ConnectedWorkspaces.Create(a.Ctx, integrations.CreateConnectedWorkspaceInput{Integration: made.Identifier, AccessToken: new("xoxb-1")})
	require.NoError(t, err)
	elsewhere := integrations.UpdateIntegrationInput{ID: made.ID, Credentials: map[string]any{"baseUrl": "https://evil.example"}}
	require.Equal(t, []string{"credentials.baseUrl"}, notifytest.Paths(t, notifytest.Err(a.Integrations.Update(a.Ctx, elsewhere))))
	_, err = a.ConnectedWorkspaces.Delete(a.Ctx, connected.ID)
	require.NoError(t, err)
	_, err = a.Integrations.Update(a.Ctx, elsewhere)
	require.NoError(t, err)
}
