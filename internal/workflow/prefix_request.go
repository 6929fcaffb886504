package workflow

// CanonicalOverrides renames the operator's own providers in the decoded overrides of a trigger, wherever they are keys.
// The input does not change.
func CanonicalOverrides(prefix string, overrides any) any {
	object, ok := overrides.(map[string]any)
	if !ok || prefix == OwnPrefix {
		return overrides
	}
	out := renameKeys(prefix, object)
	if providers, ok := out["providers"].(map[string]any); ok {
		out["providers"] = renameKeys(prefix, providers)
	}
	if steps, ok := out["steps"].(map[string]any); ok {
		out["steps"] = canonicalSteps(prefix, steps)
	}
	return out
}

func canonicalSteps(prefix string, steps map[string]any) map[string]any {
	out := make(map[string]any, len(steps))
	for id, v := range steps {
		step, isObject := v.(map[string]any)
		providers, has := step["providers"].(map[string]any)
		if isObject && has {
			step = without(step, "providers")
			step["providers"] = renameKeys(prefix, providers)
			v = step
		}
		out[id] = v
	}
	return out
}

func renameKeys(prefix string, object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for k, v := range object {
		out[ProviderIDIn(prefix, k)] = v
	}
	return out
}
