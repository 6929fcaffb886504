package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/carillon/carillon/internal/app"
)

// sentence is err for a person at a terminal: texts of the system inside it are put into words, with what to do.
func sentence(err error) string {
	err = app.Refusal(err)
	text := err.Error()
	var file *fs.PathError
	if errors.As(err, &file) {
		text = strings.ReplaceAll(text, file.Error(), fileText(file))
	}
	var call *url.Error
	if errors.As(err, &call) {
		text = strings.ReplaceAll(text, call.Error(), callText(call))
	} else if errors.Is(err, io.EOF) {
		text = strings.TrimSuffix(text, io.EOF.Error()) + "nothing was given"
	}
	return userOfAddress.ReplaceAllString(text, "://***@")
}

// userOfAddress is where an address holds a password.
var userOfAddress = regexp.MustCompile(`://[^/@\s"]*@`)

// misread is the command whose arguments are not right, as far as they say which.
func misread(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			return node.FullPath()
		}
	}
	return "carillon"
}

func fileText(e *fs.PathError) string {
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		return fmt.Sprintf("%s does not exist (%s)", e.Path, e.Op)
	case errors.Is(e.Err, fs.ErrPermission):
		return fmt.Sprintf("this user may not %s %s: give access to it, or name another place", e.Op, e.Path)
	case errors.Is(e.Err, syscall.EISDIR):
		return e.Path + " is a directory, not a file"
	case errors.Is(e.Err, syscall.ENOTDIR):
		return "a part of " + e.Path + " is not a directory"
	}
	return fmt.Sprintf("cannot %s %s: %s", e.Op, e.Path, e.Err)
}

func callText(e *url.Error) string {
	switch {
	case e.Op == "parse":
		address := e.URL // of which it is not known where its password ends
		if at := strings.LastIndex(address, "@"); at >= 0 {
			scheme, _, _ := strings.Cut(address[:at], "://")
			address = scheme + "://***" + address[at:]
		}
		return fmt.Sprintf("%q is not an address such as http://127.0.0.1:8080", address)
	case errors.Is(e, syscall.ECONNREFUSED):
		return "nothing listens at " + e.URL + ": start `carillon serve`, or name its address"
	case e.Timeout():
		return e.URL + " did not answer in time"
	case errors.Is(e, io.EOF), errors.Is(e, io.ErrUnexpectedEOF), errors.Is(e, syscall.ECONNRESET), errors.Is(e, syscall.EPIPE):
		return e.URL + " closed the connection before it had answered: what was asked may be done, so look before you repeat it"
	}
	return fmt.Sprintf("%s could not be asked: %s", e.URL, e.Err)
}

// durations reads settings that are spans of time.
func durations() kong.Option {
	return kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
			return err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a span of time such as 90s, 15m or 720h", text)
		}
		target.SetInt(int64(d))
		return nil
	}))
}

// wholeNumbers reads settings that are numbers.
func wholeNumbers() kong.Option {
	read := kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("number", &text); err != nil {
			return err
		}
		n, err := strconv.ParseInt(text, 10, target.Type().Bits())
		if err != nil {
			return fmt.Errorf("%q is not a whole number such as 20", text)
		}
		target.SetInt(n)
		return nil
	})
	return kong.OptionFunc(func(k *kong.Kong) error {
		for _, kind := range []reflect.Kind{reflect.Int, reflect.Int32} {
			if err := kong.KindMapper(kind, read).Apply(k); err != nil {
				return err
			}
		}
		return nil
	})
}
