package audience

import (
	"context"
	"runtime"

	"github.com/carillon/carillon/internal/admission"
)

// HoldPreviews takes the places of all previews that may be computed at once.
func (a *Audiences) HoldPreviews(ctx context.Context) (err error) {
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		if _, err = a.previews.Enter(ctx, admission.Request{Environment: "other"}); err != nil {
			return err
		}
	}
	return nil
}
