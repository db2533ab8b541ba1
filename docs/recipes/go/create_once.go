// Creates a product exactly once, whatever the network does. API_URL is https://…/merchants/mer_…
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const maxAttempts = 5

var client = http.Client{Timeout: 30 * time.Second}

func post(url, key, body string) ([]byte, error) {
	// The same key for all attempts: a repeated request returns the first response.
	random := make([]byte, 16)
	rand.Read(random)
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest("POST", url, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header = http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}, "Idempotency-Key": {hex.EncodeToString(random)}}
		wait := 0.25 * math.Pow(2, float64(attempt))
		response, err := client.Do(request)
		if err == nil {
			answer, readErr := io.ReadAll(response.Body)
			response.Body.Close()
			err = readErr
			if status := response.StatusCode; err == nil && status < 300 {
				return answer, nil
			} else if err == nil && status != 429 && status < 500 || attempt == maxAttempts {
				return nil, fmt.Errorf("%s: %s", response.Status, answer)
			}
			seconds, _ := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
			wait = math.Max(wait, seconds)
		} else if attempt == maxAttempts {
			return nil, err
		}
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

func main() {
	answer, err := post(os.Getenv("API_URL")+"/products", os.Getenv("API_KEY"), `{"title": "Lemon tart", "price": "4.50"}`)
	var product struct{ ID string }
	if err != nil || json.Unmarshal(answer, &product) != nil {
		log.Fatal(err)
	}
	fmt.Println(product.ID)
}
