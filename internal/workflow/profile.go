package workflow

// Profile holds the texts of a subscriber's profile, each a T: an optional text in a request, a pointer in a row. Whatever
// reads, checks, stores or shows all of them goes by Texts.
type Profile[T any] struct {
	FirstName T `json:"firstName,omitzero"`
	LastName  T `json:"lastName,omitzero"`
	Email     T `json:"email,omitzero"`
	Phone     T `json:"phone,omitzero"`
	Avatar    T `json:"avatar,omitzero"`   // URL
	Locale    T `json:"locale,omitzero"`   // language tag
	Timezone  T `json:"timezone,omitzero"` // IANA name
}

// ProfileInput is a profile in a trigger.
type ProfileInput = Profile[Optional[string]]

// ProfileText is one text of a Profile.
type ProfileText[T any] struct {
	Name   string // in requests, answers and templates
	Column string
	Most   int    // characters
	Words  string // for the documents
	Value  *T
}

// How many characters the texts of a profile have at most, whatever gives them.
const (
	mostProfileName = MaxName
	// mostProfileAddress bounds what Postgres keeps an index of: it refuses a row with more than 2,704 bytes there, and a character
	// takes up to four. No e-mail address that mail is sent to is longer than 320.
	mostProfileAddress = 512
	mostProfileLink    = 2048
)

// Texts returns all texts of a profile, always in the same order.
func (p *Profile[T]) Texts() []ProfileText[T] {
	v := p.Values()
	return []ProfileText[T]{
		{"firstName", "first_name", mostProfileName, "First name.", v[0]},
		{"lastName", "last_name", mostProfileName, "Last name.", v[1]},
		{"email", "email", mostProfileAddress, "Mail address.", v[2]},
		{"phone", "phone", mostProfileAddress, "Telephone number, E.164.", v[3]},
		{"avatar", "avatar", mostProfileLink, "Address of a picture: http, https, mailto or relative.", v[4]},
		{"locale", "locale", mostProfileName, "Language tag, such as de-AT.", v[5]},
		{"timezone", "timezone", mostProfileName, "Time zone, such as Europe/Vienna.", v[6]},
	}
}

// Values are the values of Texts, for what reads them one at a time.
func (p *Profile[T]) Values() [7]*T {
	return [7]*T{&p.FirstName, &p.LastName, &p.Email, &p.Phone, &p.Avatar, &p.Locale, &p.Timezone}
}

// ProfileTexts returns the texts of profiles without values.
func ProfileTexts() []ProfileText[struct{}] { return new(Profile[struct{}]).Texts() }
