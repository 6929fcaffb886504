package demo

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

func readMail(raw smtpsink.Mail) (*Mail, error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw.Data))
	if err != nil {
		return nil, fmt.Errorf("read the mail: %w", err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return nil, fmt.Errorf("read the subject: %w", err)
	}
	text, err := plainPart(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	if err != nil && !errors.Is(err, errNoText) {
		return nil, err
	}
	return &Mail{From: raw.From, To: raw.To, Subject: subject, MessageID: m.Header.Get("Message-Id"), Text: strings.TrimSpace(text)}, nil
}

var errNoText = errors.New("the mail has no plain text")

// plainPart is the first plain text of a part, however deep.
func plainPart(contentType, encoding string, body io.Reader) (string, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = "text/plain"
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return "", errNoText
			}
			if err != nil {
				return "", fmt.Errorf("read the mail's parts: %w", err)
			}
			text, err := plainPart(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
			if !errors.Is(err, errNoText) {
				return text, err
			}
		}
	case kind != "text/plain":
		return "", errNoText
	}
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return "", fmt.Errorf("read the mail's text: %w", err)
	}
	return string(text), nil
}
