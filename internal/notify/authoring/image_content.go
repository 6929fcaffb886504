package authoring

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif"  // what mail programs show
	_ "image/jpeg" // the same
	_ "image/png"  // the same

	"github.com/carillon/carillon/internal/fault"
)

// The bounds of an image.
const (
	MaxImageBytes = 1 << 20
	MaxImageSide  = 4000 // pixels
)

// imageTypes are the media types by the names of the decoders. SVG is none of them: it is a document that can hold scripts.
var imageTypes = map[string]string{"gif": "image/gif", "jpeg": "image/jpeg", "png": "image/png"}

// imageContent is what the bytes of an image say of themselves.
type imageContent struct {
	content       []byte
	contentType   string
	width, height int
}

// checkImage decodes base64 and the header of the image in it, and adds what is wrong with it.
func checkImage(problems *fault.Problems, text string) (out imageContent) {
	wrong := func(format string, args ...any) { problems.Add("content", nil, format, args...) }
	const tooLarge = "must not exceed %d bytes"
	if len(text) > base64.StdEncoding.EncodedLen(MaxImageBytes) {
		wrong(tooLarge, MaxImageBytes)
		return out
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		wrong("must be base64")
		return out
	}
	if len(content) > MaxImageBytes {
		wrong(tooLarge, MaxImageBytes)
		return out
	}
	header, format, err := image.DecodeConfig(bytes.NewReader(content))
	out = imageContent{content: content, contentType: imageTypes[format], width: header.Width, height: header.Height}
	switch {
	case err != nil || out.contentType == "":
		wrong("must be a PNG, JPEG or GIF image")
	case out.width < 1 || out.height < 1:
		wrong("must have at least one pixel")
	case max(out.width, out.height) > MaxImageSide:
		wrong("must not be wider or higher than %d pixels", MaxImageSide)
	}
	return out
}
