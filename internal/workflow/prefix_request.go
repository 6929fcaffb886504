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

// CanonicalRecipients renames the operator's own providers in the channel settings of a decoded "to" or actor. The input
// does not change.
func CanonicalRecipients(prefix string, to any) any {
	if prefix == OwnPrefix {
		return to
	}
	switch v := to.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = CanonicalRecipients(prefix, item)
		}
		return out
	case map[string]any:
		channels, ok := v["channels"].([]any)
		if !ok {
			return to
		}
		out := without(v, "channels")
		out["channels"] = canonicalChannels(prefix, channels)
		return out
	}
	return to
}

func canonicalChannels(prefix string, channels []any) []any {
	out := make([]any, len(channels))
	for i, c := range channels {
		out[i] = c
		if channel, ok := c.(map[string]any); ok {
			if id, ok := channel["providerId"].(string); ok {
				renamed := without(channel, "providerId")
				renamed["providerId"] = ProviderIDIn(prefix, id)
				out[i] = renamed
			}
		}
	}
	return out
}
