package render

// TextsOf are the texts of a key by locale.
func (t Translations) TextsOf(key string) map[string]string {
	texts := map[string]string{}
	for locale, of := range t {
		if text, has := of[key]; has {
			texts[locale] = text
		}
	}
	return texts
}
