package authoring_test

import (
	"context"
	"testing"
	"time"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPermissions holds who may read content and who may change it.
func TestPermissions(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	v, _ := viewer.FromContext(a.Ctx)
	page, none := usecase.Page{}, id.New(time.Now())
	permissions := notifytest.Permissions{}
	permissions.Add(viewer.GrantContentRead, viewer.RoleViewer, map[string]notifytest.Call{
		"layoutsOfIdentifiers":          func(c context.Context) error { return notifytest.Err(a.Layouts.OfIdentifiers(c, nil)) },
		"layouts":                       func(c context.Context) error { return notifytest.Err(a.Layouts.List(c, page, nil, nil)) },
		"layout":                        func(c context.Context) error { return notifytest.Err(a.Layouts.Get(c, none)) },
		"layoutByIdentifier":            func(c context.Context) error { return notifytest.Err(a.Layouts.ByIdentifier(c, "x")) },
		"snippets":                      func(c context.Context) error { return notifytest.Err(a.Snippets.List(c, page, nil, nil)) },
		"snippet":                       func(c context.Context) error { return notifytest.Err(a.Snippets.Get(c, none)) },
		"snippetByIdentifier":           func(c context.Context) error { return notifytest.Err(a.Snippets.ByIdentifier(c, "x")) },
		"snippetUsage":                  func(c context.Context) error { return notifytest.Err(a.Snippets.Usage(c, "x")) },
		"notificationGroups":            func(c context.Context) error { return notifytest.Err(a.NotificationGroups.List(c, page, nil, nil)) },
		"notificationGroup":             func(c context.Context) error { return notifytest.Err(a.NotificationGroups.Get(c, none)) },
		"notificationGroupByIdentifier": func(c context.Context) error { return notifytest.Err(a.NotificationGroups.ByIdentifier(c, "x")) },
		"translations":                  func(c context.Context) error { return notifytest.Err(a.Translations.List(c, page, nil, nil)) },
		"translation":                   func(c context.Context) error { return notifytest.Err(a.Translations.Get(c, none)) },
		"translationByLocale":           func(c context.Context) error { return notifytest.Err(a.Translations.ByLocale(c, "en")) },
		"missingTranslations":           func(c context.Context) error { return notifytest.Err(a.Translations.Missing(c, page, nil)) },
		"variables":                     func(c context.Context) error { return notifytest.Err(a.Variables.List(c, page, nil, nil)) },
		"variable":                      func(c context.Context) error { return notifytest.Err(a.Variables.Get(c, none)) },
		"variableByName":                func(c context.Context) error { return notifytest.Err(a.Variables.ByName(c, "X")) },
		"variableUsages":                func(c context.Context) error { return notifytest.Err(a.Variables.Usages(c, none)) },
		"images":                        func(c context.Context) error { return notifytest.Err(a.Images.List(c, page, nil, nil)) },
		"image":                         func(c context.Context) error { return notifytest.Err(a.Images.Get(c, none)) },
		"workflows":                     func(c context.Context) error { return notifytest.Err(a.Workflows.List(c, page, nil, nil)) },
		"workflowSlice":                 func(c context.Context) error { return notifytest.Err(a.Workflows.Slice(c, 1, 0, nil, nil)) },
		"workflow":                      func(c context.Context) error { return notifytest.Err(a.Workflows.Get(c, none)) },
		"workflowByIdentifier":          func(c context.Context) error { return notifytest.Err(a.Workflows.ByIdentifier(c, "x")) },
		"workflowVersions": func(c context.Context) error {
			return notifytest.Err(a.Workflows.VersionsOf(c, []string{none}, page, nil))
		},
		"workflowVersion":         func(c context.Context) error { return notifytest.Err(a.Workflows.Version(c, none)) },
		"workflowVersionByNumber": func(c context.Context) error { return notifytest.Err(a.Workflows.VersionByNumber(c, "x", 1)) },
		"previewWait": func(c context.Context) error {
			hour := &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}
			return notifytest.Err(a.Workflows.PreviewWait(c, authoring.PreviewWaitInput{Delay: hour}))
		},
		"previewStep": func(c context.Context) error {
			return notifytest.Err(a.Workflows.Preview(c, authoring.PreviewStepInput{Step: notifytest.InAppStep()}))
		},
	})
	permissions.Add(viewer.GrantContent, viewer.RoleEditor, map[string]notifytest.Call{
		"createLayout": func(c context.Context) error {
			return notifytest.Err(a.Layouts.Create(c, authoring.CreateLayoutInput{Name: "Frame"}))
		},
		"updateLayout": func(c context.Context) error {
			return notifytest.Err(a.Layouts.Update(c, authoring.UpdateLayoutInput{ID: none}))
		},
		"deleteLayout": func(c context.Context) error { return notifytest.Err(a.Layouts.Delete(c, none)) },
		"createSnippet": func(c context.Context) error {
			return notifytest.Err(a.Snippets.Create(c, authoring.CreateSnippetInput{Name: "Part"}))
		},
		"updateSnippet": func(c context.Context) error {
			return notifytest.Err(a.Snippets.Update(c, authoring.UpdateSnippetInput{ID: none}))
		},
		"deleteSnippet": func(c context.Context) error { return notifytest.Err(a.Snippets.Delete(c, none, true)) },
		"createImage": func(c context.Context) error {
			return notifytest.Err(a.Images.Create(c, authoring.CreateImageInput{Name: "dot", Content: dot}))
		},
		"deleteImage": func(c context.Context) error { return notifytest.Err(a.Images.Delete(c, none)) },
		"createNotificationGroup": func(c context.Context) error {
			return notifytest.Err(a.NotificationGroups.Create(c, authoring.CreateNotificationGroupInput{Name: "Group"}))
		},
		"updateNotificationGroup": func(c context.Context) error {
			return notifytest.Err(a.NotificationGroups.Update(c, authoring.UpdateNotificationGroupInput{ID: none}))
		},
		"deleteNotificationGroup": func(c context.Context) error { return notifytest.Err(a.NotificationGroups.Delete(c, none)) },
		"createTranslation": func(c context.Context) error {
			return notifytest.Err(a.Translations.Create(c, authoring.CreateTranslationInput{Locale: "en"}))
		},
		"updateTranslation": func(c context.Context) error {
			return notifytest.Err(a.Translations.Update(c, authoring.UpdateTranslationInput{ID: none}))
		},
		"deleteTranslation": func(c context.Context) error { return notifytest.Err(a.Translations.Delete(c, none)) },
		"createVariable": func(c context.Context) error {
			return notifytest.Err(a.Variables.Create(c, authoring.CreateVariableInput{Name: "X"}))
		},
		"updateVariable": func(c context.Context) error {
			return notifytest.Err(a.Variables.Update(c, authoring.UpdateVariableInput{ID: none}))
		},
		"deleteVariable": func(c context.Context) error { return notifytest.Err(a.Variables.Delete(c, none, nil)) },
		"createWorkflow": func(c context.Context) error {
			return notifytest.Err(a.Workflows.Create(c, authoring.CreateWorkflowInput{Name: "Flow"}))
		},
		"updateWorkflow": func(c context.Context) error {
			return notifytest.Err(a.Workflows.Update(c, authoring.UpdateWorkflowInput{ID: none}))
		},
		"publishWorkflow":   func(c context.Context) error { return notifytest.Err(a.Workflows.Publish(c, "none")) },
		"setWorkflowActive": func(c context.Context) error { return notifytest.Err(a.Workflows.SetActive(c, "none", true)) },
		"deleteWorkflow":    func(c context.Context) error { return notifytest.Err(a.Workflows.Delete(c, "none")) },
		"duplicateWorkflow": func(c context.Context) error { return notifytest.Err(a.Workflows.Duplicate(c, "none", nil, nil)) },
	})
	notifytest.RequirePermissions(t, v.Scope, permissions)
}
