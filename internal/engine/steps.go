package engine

import "github.com/carillon/carillon/internal/workflow"

// Steps lists the step types that the engine runs. A workflow with others cannot be published.
func Steps() []workflow.StepType {
	return []workflow.StepType{
		workflow.StepInApp, workflow.StepEmail, workflow.StepSMS, workflow.StepChat, workflow.StepPush,
		workflow.StepDigest, workflow.StepDelay, workflow.StepThrottle, workflow.StepTrigger, workflow.StepCustom,
	}
}
