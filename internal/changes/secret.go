package changes

import (
	"path"
	"strings"
)

// isSecret reports whether a file is one of those that hold secrets by their names:
// .env*, *.pem, *.key, id_*, credentials*. They are recorded by hash and size alone.
func isSecret(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, prefix := range []string{".env", "id_", "credentials"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	return strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".key")
}
