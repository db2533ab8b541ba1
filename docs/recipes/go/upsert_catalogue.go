// Creates or updates products by your own ids: lines of id, tab and JSON. API_URL is https://…/merchants/mer_…
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func upsert(externalID, body string) (string, error) {
	address := os.Getenv("API_URL") + "/products/external/" + url.PathEscape(externalID)
	request, err := http.NewRequest("PUT", address, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return "", err
	case response.StatusCode == http.StatusCreated:
		return "created", nil
	case response.StatusCode == http.StatusOK:
		return "updated", nil
	}
	return "", fmt.Errorf("%s: %s", response.Status, answer)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		externalID, body, _ := strings.Cut(lines.Text(), "\t")
		result, err := upsert(externalID, body)
		if err != nil {
			log.Fatal(externalID, ": ", err)
		}
		fmt.Println(externalID, result)
	}
}
