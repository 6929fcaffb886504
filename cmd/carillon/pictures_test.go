package main_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two pictures of a page are alike when each block of pixels is. The average of a block with edges in it, as those of letters,
// depends a little on how a browser smooths them; that of a block of one colour does not.
const (
	blockSize      = 4  // pixels of a halved picture, hence eight of the page
	flatSpread     = 3  // of 255, by which the pixels of a block of one colour may differ
	flatTolerance  = 3  // of 255, by which blocks of one colour may differ
	edgesTolerance = 20 // of 255, by which other blocks may
)

// halved is a picture with a pixel for the average of four, which is a quarter of what there is to keep.
func halved(in image.Image) *image.NRGBA {
	from := image.NewNRGBA(image.Rect(0, 0, in.Bounds().Dx(), in.Bounds().Dy()))
	draw.Draw(from, from.Bounds(), in, in.Bounds().Min, draw.Src)
	out := image.NewNRGBA(image.Rect(0, 0, from.Bounds().Dx()/2, from.Bounds().Dy()/2))
	for y := range out.Bounds().Dy() {
		for x := range out.Bounds().Dx() {
			b := blockOf(from, image.Rect(2*x, 2*y, 2*x+2, 2*y+2))
			out.SetNRGBA(x, y, color.NRGBA{uint8(b.average[0]), uint8(b.average[1]), uint8(b.average[2]), 255}) //nolint:gosec // averages of bytes
		}
	}
	return out
}

// block is what is compared of some pixels: their average colour, and by how much they differ from each other.
type block struct {
	average [3]int
	spread  int
}

func blockOf(m *image.NRGBA, r image.Rectangle) (b block) {
	low, high, n := [3]int{255, 255, 255}, [3]int{}, r.Dx()*r.Dy()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			at := m.PixOffset(x, y)
			for i, v := range m.Pix[at : at+3] {
				b.average[i] += int(v)
				low[i], high[i] = min(low[i], int(v)), max(high[i], int(v))
			}
		}
	}
	for i := range b.average {
		b.average[i] = (b.average[i] + n/2) / n
		b.spread = max(b.spread, high[i]-low[i])
	}
	return b
}

// alike reports whether two blocks show the same.
func (b block) alike(o block) bool {
	tolerance := edgesTolerance
	if b.spread <= flatSpread && o.spread <= flatSpread {
		tolerance = flatTolerance
	}
	for i := range b.average {
		if max(b.average[i]-o.average[i], o.average[i]-b.average[i]) > tolerance {
			return false
		}
	}
	return true
}

// differences are the blocks that two pictures do not share; all of it when their sizes differ.
func differences(want, got *image.NRGBA) (found []image.Rectangle) {
	if want.Bounds() != got.Bounds() {
		return []image.Rectangle{got.Bounds()}
	}
	for y := 0; y < got.Bounds().Dy(); y += blockSize {
		for x := 0; x < got.Bounds().Dx(); x += blockSize {
			r := image.Rect(x, y, x+blockSize, y+blockSize).Intersect(got.Bounds())
			if !blockOf(want, r).alike(blockOf(got, r)) {
				found = append(found, r)
			}
		}
	}
	return found
}

// marked is a picture, paled, with the differences in red.
func marked(got *image.NRGBA, found []image.Rectangle) *image.NRGBA {
	out := image.NewNRGBA(got.Bounds())
	for i, v := range got.Pix {
		out.Pix[i] = 170 + v/3
	}
	for _, r := range found {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := got.NRGBAAt(x, y)
				out.SetNRGBA(x, y, color.NRGBA{255, c.G / 2, c.B / 2, 255})
			}
		}
	}
	return out
}

// drawing is a page of 320 by 200 pixels with a line of text, which is stripes, and a button.
type drawing struct {
	button      image.Point
	colour      color.NRGBA
	letters     int
	antialiased uint8 // how dark the edges of letters are, where two browsers differ
	paper       color.NRGBA
}

// usual is what the drawings of the tests differ from.
var usual = drawing{image.Pt(40, 100), color.NRGBA{37, 99, 235, 255}, 20, 128, color.NRGBA{255, 255, 255, 255}}

func (d drawing) picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 320, 200))
	fill := func(r image.Rectangle, c color.NRGBA) { draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src) }
	fill(m.Bounds(), d.paper)
	for i := range d.letters {
		x := 20 + 8*i
		fill(image.Rect(x, 30, x+2, 42), color.NRGBA{60, 60, 60, 255})
		fill(image.Rect(x+2, 30, x+3, 42), color.NRGBA{d.antialiased, d.antialiased, d.antialiased, 255})
	}
	fill(image.Rectangle{d.button, d.button.Add(image.Pt(80, 32))}, d.colour)
	return halved(m)
}

func TestPicturesDiffer(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*drawing){
		"a button that moved by two pixels": func(d *drawing) { d.button.X += 2 },
		"a button that moved down":          func(d *drawing) { d.button.Y += 2 },
		"another shade of a button":         func(d *drawing) { d.colour.G += 5 },
		"another colour of a button":        func(d *drawing) { d.colour = color.NRGBA{220, 38, 38, 255} },
		"another shade of the page":         func(d *drawing) { d.paper = color.NRGBA{250, 250, 250, 255} },
		"no text":                           func(d *drawing) { d.letters = 0 },
		"a text that lacks its last letter": func(d *drawing) { d.letters-- },
	} {
		d := usual
		change(&d)
		require.NotEmpty(t, differences(usual.picture(), d.picture()), name)
	}
}

func TestPicturesAlike(t *testing.T) {
	t.Parallel()
	require.Empty(t, differences(usual.picture(), usual.picture()))
	smoothed := usual
	for _, smoothed.antialiased = range []uint8{90, 110, 150, 170} {
		require.Empty(t, differences(usual.picture(), smoothed.picture()), "edges of %d", smoothed.antialiased)
	}
	d := usual
	d.paper = color.NRGBA{254, 255, 253, 255} // a rounded colour
	require.Empty(t, differences(usual.picture(), d.picture()))
}

func TestPicturesOfOtherSizes(t *testing.T) {
	t.Parallel()
	m := usual.picture()
	require.Equal(t, []image.Rectangle{m.Bounds()}, differences(image.NewNRGBA(image.Rect(0, 0, 160, 99)), m))
}

// TestPicturesMarked: the place of a difference is what is shown of it.
func TestPicturesMarked(t *testing.T) {
	t.Parallel()
	d := usual
	d.letters--
	found := differences(usual.picture(), d.picture())
	for _, r := range found {
		require.True(t, r.Overlaps(image.Rect(86, 15, 88, 21)), "%v", r) // the last letter
	}
	shown := marked(d.picture(), found)
	require.EqualValues(t, 255, shown.NRGBAAt(found[0].Min.X, found[0].Min.Y).R)
	require.Equal(t, color.NRGBA{255, 255, 255, 255}, shown.NRGBAAt(0, 0))
	require.Less(t, shown.NRGBAAt(found[0].Min.X, found[0].Min.Y).G, uint8(140))
}
