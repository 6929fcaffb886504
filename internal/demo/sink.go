package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/exec"
	"sync"
	"syscall"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

// Mail is a mail that the SMTP server received, as one line of its output.
type Mail struct {
	From      string   `json:"from"`
	To        []string `json:"to"`
	Subject   string   `json:"subject"`
	MessageID string   `json:"messageId"` // header Message-Id
	Text      string   `json:"text"`      // the plain part
}

// ServeSink receives mails on ln until ctx ends. It prints its address, and then one line of JSON per mail.
func ServeSink(ctx context.Context, ln net.Listener, out io.Writer, log *slog.Logger) error {
	if _, err := fmt.Fprintln(out, ln.Addr()); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	var mu sync.Mutex
	lines := json.NewEncoder(out)
	return smtpsink.Serve(ctx, ln, func(raw smtpsink.Mail) {
		mail, err := readMail(raw)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			err = lines.Encode(mail)
		}
		if err != nil {
			log.ErrorContext(ctx, "mail not shown", "error", err.Error())
		}
	})
}

// Sink is an SMTP server in a process of its own.
type Sink struct {
	Addr string // host:port
	PID  int

	cmd      *exec.Cmd
	lifeline io.Closer
	done     chan struct{}

	mu    sync.Mutex
	mails []Mail
}

// StartSink starts binary as an SMTP server that ends with this process, however this one ends.
func StartSink(ctx context.Context, binary string) (*Sink, error) {
	s := &Sink{done: make(chan struct{})}
	s.cmd = exec.Command(binary, "smtp-sink", "--listen=127.0.0.1:0", "--lifeline") //nolint:noctx // it outlives the start's context
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}                         // a terminal's ^C is for the demo
	lifeline, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the SMTP server: %w", err)
	}
	s.lifeline = lifeline
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the SMTP server: %w", err)
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the SMTP server: %w", err)
	}
	s.PID = s.cmd.Process.Pid
	addr := make(chan string, 1)
	go s.read(out, addr)
	select {
	case s.Addr = <-addr:
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("the SMTP server ended while starting")
	case <-ctx.Done():
		s.Stop()
		return nil, fmt.Errorf("start the SMTP server: %w", context.Cause(ctx))
	}
}

func (s *Sink) read(out io.Reader, addr chan<- string) {
	defer close(s.done)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 8<<20)
	if lines.Scan() {
		addr <- lines.Text()
	}
	for lines.Scan() {
		var mail Mail
		if err := json.Unmarshal(lines.Bytes(), &mail); err == nil {
			s.mu.Lock()
			s.mails = append(s.mails, mail)
			s.mu.Unlock()
		}
	}
	_ = s.cmd.Wait()
}

// Mails are those received so far.
func (s *Sink) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.mails...)
}

// Stop ends the server and waits for it.
func (s *Sink) Stop() {
	_ = s.lifeline.Close()
	<-s.done
}
