// Verifies a webhook: go run verify_webhook.go ID TIMESTAMP SIGNATURE < body, with WEBHOOK_SECRET.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

type event struct{ ID, Type string }

// verify returns the event, or an error if it is not authentic. body is the raw body.
func verify(secret, id, timestamp, signatures string, body []byte) (found event, err error) {
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - sent; err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return found, errors.New("sent too long ago, or this machine's clock is wrong")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return found, err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Several signatures while a secret is rotated.
	for _, signature := range strings.Fields(signatures) {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return found, json.Unmarshal(body, &found)
		}
	}
	return found, errors.New("not signed with this secret")
}

func main() {
	body, _ := io.ReadAll(os.Stdin)
	found, err := verify(os.Getenv("WEBHOOK_SECRET"), os.Args[1], os.Args[2], os.Args[3], body)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(found.Type, found.ID)
}
